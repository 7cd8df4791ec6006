/** What browsers may fill in, by common names of fields without separators. */
const TOKENS: Readonly<Record<string, string>> = {
	name: "name",
	fullname: "name",
	yourname: "name",
	firstname: "given-name",
	givenname: "given-name",
	lastname: "family-name",
	familyname: "family-name",
	surname: "family-name",
	nickname: "nickname",
	email: "email",
	emailaddress: "email",
	mail: "email",
	phone: "tel",
	phonenumber: "tel",
	telephone: "tel",
	tel: "tel",
	mobile: "tel",
	company: "organization",
	organization: "organization",
	organisation: "organization",
	jobtitle: "organization-title",
	street: "address-line1",
	address: "address-line1",
	streetaddress: "address-line1",
	city: "address-level2",
	town: "address-level2",
	state: "address-level1",
	province: "address-level1",
	county: "address-level1",
	zip: "postal-code",
	zipcode: "postal-code",
	postalcode: "postal-code",
	postcode: "postal-code",
	country: "country-name",
	website: "url",
	birthday: "bday",
	birthdate: "bday",
	dateofbirth: "bday",
};

/** Tokens that a browser accepts only at inputs of certain types. */
const INPUT_TYPES: Readonly<Record<string, readonly string[]>> = {
	email: ["text", "email"],
	tel: ["text", "tel"],
	url: ["text", "url"],
	bday: ["date"],
};

/** The attribute `autocomplete` of an input, by its name and type. */
export function findAutocomplete(key: string, inputType: string): string | undefined {
	if (inputType === "email" || inputType === "tel") return inputType;
	const name = key.toLowerCase().replaceAll(/[^a-z]/g, "");
	const token = Object.hasOwn(TOKENS, name) ? TOKENS[name] : undefined;
	if (token === undefined) return undefined;
	return (INPUT_TYPES[token] ?? ["text"]).includes(inputType) ? token : undefined;
}
