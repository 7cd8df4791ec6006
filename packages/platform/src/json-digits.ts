import type { Json } from "@tripline/contract/json";

/** More digits than a number is sure to keep. */
const LONG_NUMBER = /\d[\d.]{15}|\d[eE][+-]?\d{2}/;

/** A number that would not be exact is text. */
export const parseJson = (text: string): Json =>
	LONG_NUMBER.test(text) ? (JSON.parse(text, keepDigits as never) as Json) : (JSON.parse(text) as Json);

function keepDigits(_: string, value: unknown, { source }: { readonly source?: string }): unknown {
	if (typeof value !== "number" || source === undefined) return value;
	return toDigits(String(value)) === toDigits(source) ? value : source;
}

/** The significant digits and the exponent, so that 1.0, 1 and 1e0 are the same. */
function toDigits(number: string): string {
	const [, sign = "", whole = "", fraction = "", exponent = "0"] =
		/^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
	const digits = (whole + fraction).replace(/^0+/, "");
	const significant = digits.replace(/0+$/, "");
	if (significant === "") return "0";
	return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
