import { choice, integer, list, number, text } from "@tripline/components/schema-words";
import { code } from "../manifest.ts";
import { object, orNull, params } from "../schema.ts";

const DAILY =
	"weather_code,temperature_2m_max,temperature_2m_min,precipitation_sum,precipitation_probability_max,wind_speed_10m_max";

export const weatherForecast = code({
	id: "weather_forecast",
	title: "Weather forecast",
	description: `The weather of the next days at a place, by its name, in words and numbers. From [Open-Meteo](https://open-meteo.com), without a key.

Use it for a morning message, or to decide by \`precipitation\` or \`temperature_min\`. Of several places with the same name the best known is taken; \`country\` (two letters) tells them apart. Open-Meteo is free for uses that are not commercial, up to 10,000 calls a day.`,
	tags: ["weather", "forecast", "api"],
	hosts: ["geocoding-api.open-meteo.com", "api.open-meteo.com"],
	params: params(
		{
			place: text("Name or postal code of the place", { minLength: 2, maxLength: 200 }),
			country: text("Code of its country, such as DE", { minLength: 2, maxLength: 2 }),
			days: integer("How many days, today included", { minimum: 1, maximum: 16, default: 3 }),
			units: choice(["metric", "imperial"], "°C, km/h and mm, or °F, mph and inches", { default: "metric" }),
		},
		["place"],
	),
	output: object(
		{
			place: text("The place that was found"),
			country: orNull(text("Its country")),
			latitude: number("Where it is"),
			longitude: number("Where it is"),
			timezone: text("Its zone: days are days there"),
			days: list(
				object(
					{
						date: text("The day"),
						weather: text("In words"),
						temperature_min: orNull(number("The lowest")),
						temperature_max: orNull(number("The highest")),
						precipitation: orNull(number("Rain and snow together")),
						precipitation_probability: orNull(number("In percent")),
						wind_max: orNull(number("The strongest")),
					},
					"A day",
				),
				"The days in order",
			),
		},
		"The forecast",
	),
	code: `
const WORDS = {
	0: "clear", 1: "mostly clear", 2: "partly cloudy", 3: "overcast", 45: "fog", 48: "freezing fog", 51: "light drizzle",
	53: "drizzle", 55: "heavy drizzle", 56: "light freezing drizzle", 57: "freezing drizzle", 61: "light rain", 63: "rain",
	65: "heavy rain", 66: "light freezing rain", 67: "freezing rain", 71: "light snow", 73: "snow", 75: "heavy snow",
	77: "snow grains", 80: "light showers", 81: "showers", 82: "violent showers", 85: "light snow showers",
	86: "heavy snow showers", 95: "thunderstorm", 96: "thunderstorm with hail", 99: "thunderstorm with heavy hail",
};
const country = input.country?.toUpperCase();
const found = await get(
	"https://geocoding-api.open-meteo.com/v1/search?name=" + encodeURIComponent(input.place) + "&count=20&language=en&format=json",
);
const place = found.results?.find(({ country_code }) => country === undefined || country_code === country);
if (place === undefined) throw new Error("there is no place named " + input.place + (country === undefined ? "" : " in " + country));
const units = input.units === "metric" ? "" : "&temperature_unit=fahrenheit&wind_speed_unit=mph&precipitation_unit=inch";
const { daily } = await get(
	"https://api.open-meteo.com/v1/forecast?latitude=" + place.latitude + "&longitude=" + place.longitude +
		"&daily=${DAILY}&timezone=auto&forecast_days=" + input.days + units,
);
return {
	place: place.name,
	country: place.country ?? null,
	latitude: place.latitude,
	longitude: place.longitude,
	timezone: place.timezone,
	days: daily.time.map((date, day) => ({
		date,
		weather: WORDS[daily.weather_code[day]] ?? "unknown",
		temperature_min: daily.temperature_2m_min[day],
		temperature_max: daily.temperature_2m_max[day],
		precipitation: daily.precipitation_sum[day],
		precipitation_probability: daily.precipitation_probability_max[day],
		wind_max: daily.wind_speed_10m_max[day],
	})),
};

async function get(url) {
	const { status, data } = await http({ method: "GET", url });
	if (status === 200) return data;
	throw new Error("Open-Meteo answered " + status + (typeof data?.reason === "string" ? ": " + data.reason : ""));
}
`,
	examples: [
		{
			title: "Two days in Bonn",
			params: { place: "Bonn", days: 2 },
			http: [
				{
					request: {
						method: "GET",
						url: "https://geocoding-api.open-meteo.com/v1/search?name=Bonn&count=20&language=en&format=json",
					},
					response: {
						status: 200,
						data: {
							results: [
								{
									id: 2946447,
									name: "Bonn",
									latitude: 50.73438,
									longitude: 7.09549,
									country_code: "DE",
									timezone: "Europe/Berlin",
									country: "Germany",
								},
							],
						},
					},
				},
				{
					request: {
						method: "GET",
						url: `https://api.open-meteo.com/v1/forecast?latitude=50.73438&longitude=7.09549&daily=${DAILY}&timezone=auto&forecast_days=2`,
					},
					response: {
						status: 200,
						data: {
							latitude: 50.74,
							longitude: 7.1,
							timezone: "Europe/Berlin",
							daily: {
								time: ["2026-03-01", "2026-03-02"],
								weather_code: [3, 61],
								temperature_2m_max: [11.2, 9.8],
								temperature_2m_min: [3.4, 4.1],
								precipitation_sum: [0, 2.4],
								precipitation_probability_max: [5, null],
								wind_speed_10m_max: [14.1, 22],
							},
						},
					},
				},
			],
			output: {
				place: "Bonn",
				country: "Germany",
				latitude: 50.73438,
				longitude: 7.09549,
				timezone: "Europe/Berlin",
				days: [
					{
						date: "2026-03-01",
						weather: "overcast",
						temperature_min: 3.4,
						temperature_max: 11.2,
						precipitation: 0,
						precipitation_probability: 5,
						wind_max: 14.1,
					},
					{
						date: "2026-03-02",
						weather: "light rain",
						temperature_min: 4.1,
						temperature_max: 9.8,
						precipitation: 2.4,
						precipitation_probability: null,
						wind_max: 22,
					},
				],
			},
		},
		{
			title: "A place that is only in another country",
			params: { place: "Nowhereville", country: "de" },
			http: [
				{
					request: {
						method: "GET",
						url: "https://geocoding-api.open-meteo.com/v1/search?name=Nowhereville&count=20&language=en&format=json",
					},
					response: {
						status: 200,
						data: { results: [{ name: "Nowhereville", country_code: "US", latitude: 1, longitude: 2 }] },
					},
				},
			],
			error: "there is no place named Nowhereville in DE",
		},
		{
			title: "Too many calls",
			params: { place: "Bonn" },
			http: [
				{
					request: {
						method: "GET",
						url: "https://geocoding-api.open-meteo.com/v1/search?name=Bonn&count=20&language=en&format=json",
					},
					response: {
						status: 429,
						data: {
							error: true,
							reason: "Minutely API request limit exceeded. Please try again in one minute.",
						},
					},
				},
			],
			error: "Open-Meteo answered 429: Minutely API request limit exceeded. Please try again in one minute.",
		},
	],
});
