import { flag, integer, list, text } from "@tripline/components/schema-words";
import { code } from "../manifest.ts";
import { object, orNull, params } from "../schema.ts";

export const publicHolidays = code({
	id: "public_holidays",
	title: "Public holidays",
	description: `The public holidays of a country in a year, or of one of its regions. From [Nager.Date](https://date.nager.at), without a key, for more than 100 countries.

Use it to leave out holidays on a schedule, and give \`dates\` to \`business_days\`. With \`region\` (such as \`DE-BY\`) holidays of the whole country and of that region are given; without it those that only some regions have are in the list too, but not in \`dates\`.`,
	tags: ["calendar", "holidays", "api"],
	hosts: ["date.nager.at"],
	params: params(
		{
			country: text("Code of the country, such as DE", { minLength: 2, maxLength: 2 }),
			year: integer("The year", { minimum: 1975, maximum: 2100 }),
			region: text("Code of the region, such as DE-BY", { maxLength: 10 }),
		},
		["country", "year"],
	),
	output: object(
		{
			dates: list({ type: "string" }, "Days off, in the whole country or in the region"),
			holidays: list(
				object(
					{
						date: text("The day"),
						name: text("Its name in English"),
						local_name: text("Its name there"),
						is_nationwide: flag("Whether the whole country has it"),
						regions: orNull(list({ type: "string" }, "Which regions have it, if not all")),
					},
					"A holiday",
				),
				"The holidays in order",
			),
		},
		"The holidays",
	),
	code: `
const country = input.country.toUpperCase();
if (!/^[A-Z]{2}$/.test(country)) throw new Error("country must be a code of two letters such as DE");
const region = input.region?.toUpperCase();
if (region !== undefined && !region.startsWith(country + "-")) throw new Error("region must be a code such as " + country + "-XX");
const { status, data } = await http({ method: "GET", url: "https://date.nager.at/api/v3/PublicHolidays/" + input.year + "/" + country });
if (status === 404 || status === 204) throw new Error("no holidays are known of the country " + country);
if (status !== 200 || !Array.isArray(data)) throw new Error("Nager.Date answered " + status);
const isWanted = ({ counties, types }) =>
	(types ?? ["Public"]).includes("Public") && (region === undefined || !counties || counties.includes(region));
const holidays = data.filter(isWanted).map(({ date, name, localName, counties }) => ({
	date,
	name,
	local_name: localName ?? name,
	is_nationwide: !counties,
	regions: counties ?? null,
}));
const off = holidays.filter(({ is_nationwide }) => is_nationwide || region !== undefined);
return { dates: [...new Set(off.map(({ date }) => date))], holidays };
`,
	examples: [
		{
			title: "Of a region",
			params: { country: "de", year: 2026, region: "DE-BY" },
			http: [
				{
					request: { method: "GET", url: "https://date.nager.at/api/v3/PublicHolidays/2026/DE" },
					response: {
						status: 200,
						data: [
							{
								date: "2026-01-01",
								localName: "Neujahr",
								name: "New Year's Day",
								countryCode: "DE",
								global: true,
								counties: null,
								types: ["Public"],
							},
							{
								date: "2026-01-06",
								localName: "Heilige Drei Könige",
								name: "Epiphany",
								countryCode: "DE",
								global: false,
								counties: ["DE-BW", "DE-BY", "DE-ST"],
								types: ["Public"],
							},
							{
								date: "2026-03-08",
								localName: "Internationaler Frauentag",
								name: "International Women's Day",
								countryCode: "DE",
								global: false,
								counties: ["DE-BE", "DE-MV"],
								types: ["Public"],
							},
						],
					},
				},
			],
			output: {
				dates: ["2026-01-01", "2026-01-06"],
				holidays: [
					{
						date: "2026-01-01",
						name: "New Year's Day",
						local_name: "Neujahr",
						is_nationwide: true,
						regions: null,
					},
					{
						date: "2026-01-06",
						name: "Epiphany",
						local_name: "Heilige Drei Könige",
						is_nationwide: false,
						regions: ["DE-BW", "DE-BY", "DE-ST"],
					},
				],
			},
		},
		{
			title: "Only what all regions have is a day off without a region",
			params: { country: "CH", year: 2026 },
			http: [
				{
					request: { method: "GET", url: "https://date.nager.at/api/v3/PublicHolidays/2026/CH" },
					response: {
						status: 200,
						data: [
							{ date: "2026-08-01", localName: "Bundesfeier", name: "Swiss National Day", counties: null },
							{ date: "2026-08-15", localName: "Mariä Himmelfahrt", name: "Assumption", counties: ["CH-UR"] },
						],
					},
				},
			],
			output: {
				dates: ["2026-08-01"],
				holidays: [
					{
						date: "2026-08-01",
						name: "Swiss National Day",
						local_name: "Bundesfeier",
						is_nationwide: true,
						regions: null,
					},
					{
						date: "2026-08-15",
						name: "Assumption",
						local_name: "Mariä Himmelfahrt",
						is_nationwide: false,
						regions: ["CH-UR"],
					},
				],
			},
		},
		{
			title: "A country that is not known",
			params: { country: "XX", year: 2026 },
			http: [
				{
					request: { method: "GET", url: "https://date.nager.at/api/v3/PublicHolidays/2026/XX" },
					response: { status: 404, data: null },
				},
			],
			error: "no holidays are known of the country XX",
		},
	],
});
