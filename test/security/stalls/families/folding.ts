import { type Case, createNamed, type Family, makeWebhook, validate } from "../case.ts";
import { createFilled, list, object, text } from "../shapes.ts";

/** Maximum length of one expression. */
const CHARACTERS = 4_096;
/** How many expressions of 4 KB fit into a document; fewer if their JSON is longer. */
const MANY = 240;
const DOCUMENT_BYTES = 1_000_000;

const conditions = (count: number, expression: (index: number) => string): object => ({
	triplets: list(count, (at) => `input >> then >> n${at}`),
	config: object(count, (at) => [`n${at}`, { component: "if", condition: expression(at) }]),
});

const folding = (
	name: string,
	expression: (index: number) => string,
	count = MANY,
	more: Pick<Case, "isQuick"> = {},
): Case => {
	const bytes = Buffer.byteLength(JSON.stringify(expression(0))) + 80;
	const document = () => conditions(Math.min(count, Math.floor(DOCUMENT_BYTES / bytes)), expression);
	return {
		name,
		steps: [validate(() => createNamed("hostile", document())), makeWebhook(document)],
		...more,
	};
};

/** As long as an expression may be. */
const sum = (piece: string, operator = "+", characters = CHARACTERS - 8): string =>
	createFilled(characters, () => piece, operator);
const chars = (count: number): string => `"${"a".repeat(count)}".split("")`;
const doubled = (inner: string, times: number): string => {
	let expression = inner;
	for (let time = 0; time < times; time++) expression = `[${expression}].map(x, x + x)[0]`;
	return expression;
};
const product = (a: number, b: number, body = "x == y"): string =>
	`${chars(a)}.exists(x, ${chars(b)}.exists(y, ${body} && false))`;
const conditional = (levels: number, then: string): string =>
	`${text(levels, () => `true ? ${then} : `)}false`;

export const foldings: Family = {
	name: "folding",
	cases: [
		folding("one expression that loops twice over constant texts", () => product(1_800, 1_800), 1, {
			isQuick: true,
		}),
		folding("expressions that loop twice over constant texts", () => product(1_800, 1_800), MANY, {
			isQuick: true,
		}),
		folding("expressions that loop once over a constant text", () => `${chars(3_900)}.all(x, x == "a")`),
		folding(
			"expressions that split a text again and again",
			() => `${chars(1_000)}.all(x, ${chars(1_000)}.size() == 1000)`,
		),
		folding(
			"expressions that join and split",
			() => `${chars(3_800)}.map(x, x + x).join("").split("").size() > 1`,
		),
		folding("texts that double", () => `${doubled('"aaaaaaaaaaaaaaaa"', 60)} == "a"`),
		folding("lists that double", () => `${doubled("[1,2,3,4,5,6,7,8]", 60)} == []`),
		folding("sums of texts", () => `${sum('"a"')} == "a"`),
		folding(
			"sums of long texts",
			() => `("${"a".repeat(1_000)}" + "${"b".repeat(1_000)}") == "${"a".repeat(1_000)}${"b".repeat(900)}"`,
		),
		folding("sums in parentheses", () => `${sum("(1)")} == 1`),
		folding("sums of differences", () => `${sum("1-1")} == 0`),
		folding(
			"forty parentheses around sums",
			() => `${"(".repeat(39)}${sum("1", "+", 3_900)}${")".repeat(39)} == 1`,
		),
		folding(
			"a hundred levels with parentheses in all",
			() => `${text(95, () => "(1)+")}${sum("(1)", "*", 3_500)} > 0`,
		),
		folding("nested conditionals", () => conditional(95, '"a".size() > 0')),
		folding("conditionals with long ends", () => conditional(30, `"${"a".repeat(80)}".contains("b")`)),
		folding("ors of failures", () => `${createFilled(4_000, () => "1/0>1", "||")} || true`),
		folding(
			"ors of failed texts",
			() => `${createFilled(4_000, () => '"a".substring(5)=="b"', "||")} || true`,
		),
		folding(
			"replacements that grow",
			() => `"${"a".repeat(30)}"${'.replace("a","aaaaaaaa")'.repeat(20)} == "b"`,
		),
		folding(
			"replacements of nothing",
			() => `"${"a".repeat(3_000)}".replace("","b").replace("","c").size() > 1`,
		),
		folding(
			"replacements of every letter",
			() => `"${"ab".repeat(1_900)}".replace("a","bb").replace("b","aa").replace("a","bb").size() > 1`,
		),
		folding(
			"searches for a long text in a longer one",
			() => `"${"a".repeat(2_000)}b".contains("${"a".repeat(1_900)}c")`,
		),
		folding(
			"last places of a long text",
			() => `"${"a".repeat(2_000)}".lastIndexOf("b${"a".repeat(1_900)}") > 0`,
		),
		folding("long lists and in", () => `1 in [${createFilled(3_900, () => "2", ",")}]`),
		folding(
			"equal lists",
			() => `[${createFilled(1_900, () => "2", ",")}] == [${createFilled(1_900, () => "2", ",")}]`,
		),
		folding(
			"a list in a list in a list",
			() => `${"[".repeat(38)}1${"]".repeat(38)} == ${"[".repeat(38)}2${"]".repeat(38)}`,
		),
		folding(
			"objects with many keys",
			() => `{${createFilled(3_900, (index) => `"k${index}":1`, ",")}} == {}`,
		),
		folding("objects in loops", () => `${chars(500)}.map(x, {"a": ${chars(500)}}).size() == 1`),
		folding("maps in maps", () => `${chars(1_000)}.map(x, ${chars(1_000)}.map(y, x + y)).size() == 1`),
		folding(
			"filters in filters",
			() => `${chars(1_000)}.filter(x, ${chars(1_000)}.filter(y, x == y).size() > 0).size() == 1`,
		),
		folding(
			"exactly one of many",
			() => `${chars(1_900)}.exists_one(x, ${chars(1_900)}.exists_one(y, x == "b"))`,
		),
		folding(
			"texts made of numbers",
			() => `${chars(1_500)}.map(x, string(123456789.123)).join("").size() > 1`,
		),
		folding("times", () =>
			createFilled(4_000, () => 'timestamp("2026-01-01")<timestamp("2026-01-02")', "&&"),
		),
		folding("durations", () => `${chars(1_000)}.all(x, duration("1h2m3s") < duration("9d"))`),
		folding("capital letters", () => `${chars(1_000)}.all(x, "${"ß".repeat(1_000)}".upper().size() == 2000)`),
		folding("dots", () => `input${".a".repeat(2_000)} == 1`),
		folding("brackets", () => `input${"[0]".repeat(1_300)} == 1`),
		folding("calls of calls", () => `"a"${".trim()".repeat(580)} == "a"`),
		folding("nots", () => `${"!".repeat(4_000)}true`),
		folding("minuses", () => `${"- ".repeat(2_000)}1 > 0`),
		folding("names that do not exist", (at) => createFilled(4_000, (index) => `nme${at}x${index}`, "+")),
		folding("functions that almost exist", () => createFilled(4_000, () => "siez(1)", "+")),
		folding("methods that almost exist", () => createFilled(4_000, () => '"a".contians("b")', "||")),
		folding("a text without an end", () => `"${"\\\\".repeat(2_000)}`),
		folding("names in many scripts", () => createFilled(4_000, () => "ключ.имя", "+")),
		folding("comments", () => `true ${"// \n".repeat(1_000)}`),
		folding("blanks", () => `true${" ".repeat(4_000)}`),
		folding("raw and triple quotes", () => `${createFilled(3_900, () => 'r"""a"""', "+")} == ""`),
		folding("numbers of many digits", () => `${createFilled(3_900, () => "123456789012345", "+")} == 0`),
		folding("numbers of 4,000 digits", () => `${"9".repeat(4_000)} > 1`),
		folding("1,000 short expressions", () => "1==1", 1_000),
		{
			name: "an aggregate of 20,000 columns",
			steps: [
				makeWebhook(() => ({
					triplets: ["input >> then >> only"],
					config: {
						only: {
							component: "aggregate",
							items: [1],
							compute: object(20_000, (at) => [`c${at}`, "sum(item + 1 + 2 * 3)"]),
						},
					},
				})),
			],
		},
		{
			name: "a switch of 20,000 cases",
			steps: [
				makeWebhook(() => ({
					triplets: ["only >> CASE x >> other"],
					config: {
						only: {
							component: "switch",
							cases: list(20_000, (at) => ({ label: `l${at}`, when: "size('a' + 'b') > 3" })),
						},
						other: { component: "set", values: {} },
					},
				})),
			],
		},
		{
			name: "an aggregate of 240 columns that loop twice over constant texts",
			steps: [
				makeWebhook(() => ({
					triplets: ["input >> then >> only"],
					config: {
						only: {
							component: "aggregate",
							items: [1],
							compute: object(MANY, (at) => [`c${at}`, `list(${product(1_800, 1_800)})`]),
						},
					},
				})),
			],
		},
	],
};
