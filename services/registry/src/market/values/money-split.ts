import { integer, list, number } from "@tripline/components/schema-words";
import { code } from "../manifest.ts";
import { params } from "../schema.ts";

export const moneySplit = code({
	id: "money_split",
	title: "Split an amount",
	description: `Splits an amount of money into parts that add up to it exactly, to the cent: evenly (\`parts: 3\`) or by weights (\`weights: [50, 30, 20]\`).

Use it for invoices, commissions and shared costs. The cents that cannot be split evenly go to the parts that rounding cheated most, the first of them in doubt. Negative amounts (refunds) are split the same way.`,
	tags: ["money", "numbers", "invoice"],
	params: params(
		{
			amount: number("The amount, such as 99.95"),
			parts: integer("How many equal parts", { minimum: 1, maximum: 10_000 }),
			weights: list({ type: "number", minimum: 0 }, "Instead of parts: the weight of each", {
				minItems: 1,
				maxItems: 10_000,
			}),
			decimals: integer("Decimals of the currency: 2 for euros, 0 for yen", {
				minimum: 0,
				maximum: 6,
				default: 2,
			}),
		},
		["amount"],
	),
	output: list({ type: "number" }, "The parts in order"),
	code: `
const { amount, decimals } = input;
if ((input.parts === undefined) === (input.weights === undefined)) throw new Error("give either parts or weights");
const weights = input.weights ?? Array(input.parts).fill(1);
const total = weights.reduce((sum, weight) => sum + weight, 0);
if (!(total > 0 && Number.isFinite(total))) throw new Error("the weights must add up to more than zero");
const units = Math.round(Math.abs(amount) * 10 ** decimals);
if (!Number.isSafeInteger(units)) throw new Error("amount is too large to be split exactly");
if (Number((units / 10 ** decimals).toFixed(decimals)) !== Math.abs(amount)) {
	throw new Error("amount has more than " + decimals + " decimals; round it first");
}
const exact = weights.map((weight) => (weight / total) * units);
const shares = exact.map(Math.floor);
const rests = exact.map((share, place) => ({ place, rest: share - shares[place] }));
rests.sort((a, b) => b.rest - a.rest || a.place - b.place);
let left = units - shares.reduce((sum, share) => sum + share, 0);
// Rounding of the products may leave a unit more or less than there are parts.
for (let turn = 0; left !== 0; turn++) {
	const { place } = rests[turn % rests.length];
	if (weights[place] === 0) continue;
	shares[place] += Math.sign(left);
	left -= Math.sign(left);
}
const sign = amount < 0 ? -1 : 1;
return shares.map((share) => (share === 0 ? 0 : Number(((sign * share) / 10 ** decimals).toFixed(decimals))));
`,
	examples: [
		{ title: "A bill for three", params: { amount: 100, parts: 3 }, output: [33.34, 33.33, 33.33] },
		{
			title: "By shares, in yen",
			params: { amount: 1001, weights: [50, 30, 20], decimals: 0 },
			output: [501, 300, 200],
		},
		{ title: "A refund", params: { amount: -0.05, parts: 2 }, output: [-0.03, -0.02] },
		{
			title: "Half a cent",
			params: { amount: 1.005, parts: 2 },
			error: "amount has more than 2 decimals; round it first",
		},
	],
});
