import { integer, list, number } from "@tripline/components/schema-words";
import { code } from "../manifest.ts";
import { object, orNull, params } from "../schema.ts";

export const statistics = code({
	id: "statistics",
	title: "Statistics",
	description: `Describes a list of numbers: mean, median, standard deviation, percentiles, and the values that stand out.

Use it for response times, prices and amounts, for example to alert when the 95th percentile is too high. Percentiles are interpolated as spreadsheets do (\`PERCENTILE.INC\`), the deviation is that of a sample (\`STDEV.S\`; null of one value). \`outliers\` are values more than one and a half times the middle range (75th minus 25th percentile) away from it. Sums are kept exact where plain adding would lose digits.`,
	tags: ["statistics", "numbers", "monitoring"],
	params: params(
		{
			values: list({ type: "number" }, "The numbers", { minItems: 1, maxItems: 50_000 }),
			percentiles: list({ type: "number", minimum: 0, maximum: 100 }, "Which percentiles to compute", {
				default: [25, 75, 90, 95, 99],
				maxItems: 20,
			}),
		},
		["values"],
	),
	output: object(
		{
			count: integer("How many"),
			sum: number("Their sum"),
			mean: number("Their mean"),
			median: number("The one in the middle"),
			min: number("The smallest"),
			max: number("The largest"),
			stddev: orNull(number("Standard deviation; null of one value")),
			percentiles: { type: "object", description: "By name, such as p95" },
			outliers: list({ type: "number" }, "Values far away from the others, in their order"),
		},
		"What the numbers are like",
	),
	code: `
const { values } = input;
const sorted = Float64Array.from(values).sort();
const count = values.length;
const sum = sumOf(values);
const mean = sum / count;
const spread = count === 1 ? null : Math.sqrt(sumOf(values.map((value) => (value - mean) ** 2)) / (count - 1));
const low = percentile(25);
const high = percentile(75);
const far = 1.5 * (high - low);
return {
	count,
	sum,
	mean,
	median: percentile(50),
	min: sorted[0],
	max: sorted[count - 1],
	stddev: spread,
	percentiles: Object.fromEntries(input.percentiles.map((share) => ["p" + share, percentile(share)])),
	outliers: values.filter((value) => value < low - far || value > high + far),
};

function percentile(share) {
	const place = ((count - 1) * share) / 100;
	const below = sorted[Math.floor(place)];
	const above = sorted[Math.ceil(place)];
	return below === above ? below : below + (above - below) * (place - Math.floor(place));
}

/** Neumaier: what is lost in each addition is kept aside. */
function sumOf(numbers) {
	let total = 0;
	let lost = 0;
	for (const value of numbers) {
		const next = total + value;
		lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total;
		total = next;
	}
	return total + lost;
}
`,
	examples: [
		{
			title: "Response times, one of them slow",
			params: { values: [10, 12, 11, 13, 12, 80], percentiles: [50, 95] },
			output: {
				count: 6,
				sum: 138,
				mean: 23,
				median: 12,
				min: 10,
				max: 80,
				stddev: 27.94279871451677,
				percentiles: { p50: 12, p95: 63.25 },
				outliers: [80],
			},
		},
		{
			title: "Sums that plain adding gets wrong",
			params: { values: [0.1, 0.2, 0.3, 1e16, -1e16], percentiles: [] },
			output: {
				count: 5,
				sum: 0.6,
				mean: 0.12,
				median: 0.2,
				min: -1e16,
				max: 1e16,
				stddev: 7071067811865475,
				percentiles: {},
				outliers: [1e16, -1e16],
			},
		},
		{
			title: "One value",
			params: { values: [7], percentiles: [95] },
			output: {
				count: 1,
				sum: 7,
				mean: 7,
				median: 7,
				min: 7,
				max: 7,
				stddev: null,
				percentiles: { p95: 7 },
				outliers: [],
			},
		},
	],
});
