import { choice, flag, list, text } from "@tripline/components/schema-words";
import { code } from "../manifest.ts";
import { params } from "../schema.ts";

export const lookupJoin = code({
	id: "lookup_join",
	title: "Join two lists",
	description: `Puts beside each element of a list the element of another list that belongs to it, as a join of two tables does: to each order its customer, to each page its author.

Both keys are names of fields; \`customer.id\` looks inside. A number and the same number as text are different. With \`many\` every match is given, as a list. \`unmatched\` says what happens to elements without a match: \`keep\` (null, or an empty list), \`drop\`, or \`fail\`.`,
	tags: ["list", "join", "table"],
	params: params(
		{
			items: list({ type: "object" }, "The list", { maxItems: 20_000 }),
			key: text("Field of its elements", { minLength: 1, maxLength: 200 }),
			with: list({ type: "object" }, "The other list", { maxItems: 20_000 }),
			with_key: text("Field of the other list's elements that must be equal; default the same name", {
				minLength: 1,
				maxLength: 200,
			}),
			as: text("Name of the new field", { minLength: 1, maxLength: 200 }),
			many: flag("Give all matches as a list, not only the first", { default: false }),
			unmatched: choice(["keep", "drop", "fail"], "What to do with elements that have no match", {
				default: "keep",
			}),
		},
		["items", "key", "with", "as"],
	),
	output: list({ type: "object" }, "The elements of the list with the new field"),
	code: `
const { items, key, as, many, unmatched } = input;
const matches = new Map();
for (const element of input.with) {
	const id = idOf(element, input.with_key ?? key);
	if (id === undefined) continue;
	if (matches.has(id)) matches.get(id).push(element);
	else matches.set(id, [element]);
}
const joined = [];
items.forEach((item, place) => {
	const id = idOf(item, key);
	const found = (id === undefined ? undefined : matches.get(id)) ?? [];
	if (found.length === 0 && unmatched === "fail") {
		throw new Error("items[" + place + "]: nothing has " + (input.with_key ?? key) + " " + (id ?? "null"));
	}
	if (found.length > 0 || unmatched === "keep") joined.push(withField(item, many ? found : (found[0] ?? null)));
});
return joined;

function withField(item, value) {
	const copy = Object.assign(Object.create(null), item);
	copy[as] = value;
	return copy;
}

/** The field's value as JSON; nothing is equal to a missing value or to null. */
function idOf(element, path) {
	let value = element;
	for (const name of Object.hasOwn(element, path) ? [path] : path.split(".")) {
		if (value === null || typeof value !== "object" || !Object.hasOwn(value, name)) return undefined;
		value = value[name];
	}
	return value === null ? undefined : JSON.stringify(value);
}
`,
	examples: [
		{
			title: "To each order its customer",
			params: {
				items: [
					{ id: 1, customer: { id: "c1" } },
					{ id: 2, customer: { id: "c9" } },
				],
				key: "customer.id",
				with: [{ id: "c1", name: "Ada" }],
				with_key: "id",
				as: "who",
			},
			output: [
				{ id: 1, customer: { id: "c1" }, who: { id: "c1", name: "Ada" } },
				{ id: 2, customer: { id: "c9" }, who: null },
			],
		},
		{
			title: "To each city its shops, only where there are any",
			params: {
				items: [{ city: "Lyon" }, { city: "Bonn" }],
				key: "city",
				with: [
					{ city: "Bonn", shop: 1 },
					{ city: "Bonn", shop: 2 },
				],
				as: "shops",
				many: true,
				unmatched: "drop",
			},
			output: [
				{
					city: "Bonn",
					shops: [
						{ city: "Bonn", shop: 1 },
						{ city: "Bonn", shop: 2 },
					],
				},
			],
		},
		{
			title: "Every element must have a match",
			params: { items: [{ sku: 7 }], key: "sku", with: [{ sku: "7" }], as: "part", unmatched: "fail" },
			error: "items[0]: nothing has sku 7",
		},
	],
});
