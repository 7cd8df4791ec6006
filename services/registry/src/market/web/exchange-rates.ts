import { list, number, text } from "@tripline/components/schema-words";
import { code } from "../manifest.ts";
import { object, params } from "../schema.ts";

export const exchangeRates = code({
	id: "exchange_rates",
	title: "Exchange rates",
	description: `Daily reference rates between currencies, today's or those of a day in the past, and an amount converted by them. From [Frankfurter](https://frankfurter.dev), which gathers the rates of central banks, without a key.

Use it for reports and invoices in several currencies. Reference rates are not what a bank charges. On days without rates, such as Sundays, the last ones before count: \`date\` says of which day they are.`,
	tags: ["money", "currency", "api"],
	hosts: ["api.frankfurter.dev"],
	params: params(
		{
			from: text("Currency to convert from, such as EUR", { minLength: 3, maxLength: 3 }),
			to: list({ type: "string", minLength: 3, maxLength: 3 }, "Currencies to convert to", {
				minItems: 1,
				maxItems: 50,
			}),
			amount: number("Amount to convert", { default: 1 }),
			date: text("A day in the past, such as 2026-03-01; default the latest rates"),
		},
		["from", "to"],
	),
	output: object(
		{
			date: text("The day of the rates"),
			from: text("The currency"),
			amount: number("The amount"),
			rates: { type: "object", description: "Rates by currency" },
			converted: { type: "object", description: "The amount by currency, rounded to cents" },
		},
		"Rates and the amount converted",
	),
	code: String.raw`
const currency = (code, where) => {
	if (!/^[a-z]{3}$/i.test(code)) throw new Error(where + " must be a currency of three letters such as EUR");
	return code.toUpperCase();
};
const from = currency(input.from, "from");
const quotes = [...new Set(input.to.map((code, place) => currency(code, "to[" + place + "]")))];
if (input.date !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(input.date)) throw new Error("date must be a day such as 2026-03-01");
const asked = quotes.filter((code) => code !== from);
let rows = [];
if (asked.length > 0) {
	const { status, data } = await http({
		method: "GET",
		url: "https://api.frankfurter.dev/v2/rates?base=" + from + "&quotes=" + asked.join(",") + (input.date === undefined ? "" : "&date=" + input.date),
	});
	if (status !== 200 || !Array.isArray(data)) {
		throw new Error("Frankfurter answered " + status + (typeof data?.message === "string" ? ": " + data.message : ""));
	}
	rows = data;
}
const rates = {};
const converted = {};
for (const code of quotes) {
	const rate = code === from ? 1 : rows.find((row) => row.quote === code)?.rate;
	if (typeof rate !== "number") throw new Error("there is no rate from " + from + " to " + code);
	rates[code] = rate;
	converted[code] = Math.round(rate * input.amount * 100) / 100;
}
const date = rows.map((row) => row.date).sort()[0] ?? input.date ?? new Date().toISOString().slice(0, 10);
return { date, from, amount: input.amount, rates, converted };
`,
	examples: [
		{
			title: "An amount in two currencies",
			params: { from: "usd", to: ["EUR", "USD"], amount: 99.9 },
			http: [
				{
					request: {
						method: "GET",
						url: "https://api.frankfurter.dev/v2/rates?base=USD&quotes=EUR",
					},
					response: {
						status: 200,
						data: [{ date: "2026-02-27", base: "USD", quote: "EUR", rate: 0.8532 }],
					},
				},
			],
			output: {
				date: "2026-02-27",
				from: "USD",
				amount: 99.9,
				rates: { EUR: 0.8532, USD: 1 },
				converted: { EUR: 85.23, USD: 99.9 },
			},
		},
		{
			title: "Rates of a day in the past",
			params: { from: "EUR", to: ["JPY"], date: "1999-01-04" },
			http: [
				{
					request: {
						method: "GET",
						url: "https://api.frankfurter.dev/v2/rates?base=EUR&quotes=JPY&date=1999-01-04",
					},
					response: {
						status: 200,
						data: [{ date: "1999-01-04", base: "EUR", quote: "JPY", rate: 133.73 }],
					},
				},
			],
			output: {
				date: "1999-01-04",
				from: "EUR",
				amount: 1,
				rates: { JPY: 133.73 },
				converted: { JPY: 133.73 },
			},
		},
		{
			title: "Not a currency",
			params: { from: "EUR", to: ["€€€"] },
			error: "to[0] must be a currency of three letters such as EUR",
		},
		{
			title: "A currency without a rate",
			params: { from: "EUR", to: ["XXX"] },
			http: [
				{
					request: {
						method: "GET",
						url: "https://api.frankfurter.dev/v2/rates?base=EUR&quotes=XXX",
					},
					response: { status: 422, data: { status: 422, message: "invalid currency: XXX" } },
				},
			],
			error: "Frankfurter answered 422: invalid currency: XXX",
		},
	],
});
