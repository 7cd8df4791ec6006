import { flag, integer, text } from "@tripline/components/schema-words";
import { code } from "../manifest.ts";
import { object, orNull, params } from "../schema.ts";

export const urlEdit = code({
	id: "url_edit",
	title: "Read and change a web address",
	description: `Takes a web address apart, and changes its query and fragment: adds, replaces and removes parameters, and takes out what only follows people around (\`utm_…\`, \`gclid\`, \`fbclid\` and the like).

Use it to add campaign parameters, to read an id out of a link, and to bring links to one form before you look for duplicates. Parameters that are not changed keep their place and their spelling. Only \`http\` and \`https\`.`,
	tags: ["url", "text", "marketing"],
	params: params(
		{
			url: text("The address", { maxLength: 20_000 }),
			set: {
				type: "object",
				description: "Parameters to set, by name: text, number, true or false; null removes one",
			},
			remove_tracking: flag("Take out parameters that only follow people around", { default: false }),
			fragment: orNull(text("What to put after #; null takes it out", { maxLength: 2_000 })),
		},
		["url"],
	),
	output: object(
		{
			url: text("The address as it is now"),
			scheme: text("http or https"),
			host: text("The host's name, in small letters"),
			port: orNull(integer("The port, if it is written")),
			path: text("The path, as it is written"),
			segments: { type: "array", items: { type: "string" }, description: "The parts of the path, decoded" },
			query: { type: "object", description: "Parameters by name, decoded; of several with one name a list" },
			fragment: orNull(text("What is after #, decoded")),
		},
		"The address and its parts",
	),
	code: String.raw`
const TRACKING = /^(?:utm_[a-z_]+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|twclid|yclid|ttclid|li_fat_id|igshid|igsh|mc_cid|mc_eid|_hsenc|_hsmi|mkt_tok|vero_id|oly_enc_id|oly_anon_id)$/i;
const found = /^(https?):\/\/(?:([^/?#]*)@)?(\[[0-9a-f:.]+\]|[^/?#:@\s]+)(?::(\d{1,5}))?(\/[^?#]*)?(?:\?([^#]*))?(?:#(.*))?$/is.exec(input.url.trim());
if (found === null) throw new Error("url must be a whole address such as https://example.com/path");
const [, scheme, user, host, port, path = "/", queryText = ""] = found;
if (user !== undefined) throw new Error("url has a name or password before the host; take it out");
const fragment = input.fragment === undefined ? found[7] : input.fragment === null ? undefined : encoded(input.fragment);

const given = queryText
	.split("&")
	.filter((pair) => pair !== "")
	.filter((pair) => !(input.remove_tracking && TRACKING.test(nameOf(pair))));
const pairs = withSet(given, new Map(Object.entries(input.set ?? {})));

const authority = host.toLowerCase() + (port === undefined ? "" : ":" + Number(port));
const query = pairs.length === 0 ? "" : "?" + pairs.join("&");
return {
	url: scheme.toLowerCase() + "://" + authority + path + query + (fragment === undefined ? "" : "#" + fragment),
	scheme: scheme.toLowerCase(),
	host: host.toLowerCase(),
	port: port === undefined ? null : Number(port),
	path,
	segments: path.split("/").filter((segment) => segment !== "").map(decoded),
	query: byName(pairs),
	fragment: fragment === undefined ? null : decoded(fragment),
};

/** What is set takes the place of the first of its name, or comes at the end. */
function withSet(all, values) {
	const written = new Map();
	for (const [name, value] of values) {
		if (typeof value === "object" && value !== null) throw new Error("set: " + name + " must be text, a number, true, false or null");
		if (value !== null) written.set(name, encoded(name) + "=" + encoded(String(value)));
	}
	const kept = all.flatMap((pair) => {
		const name = nameOf(pair);
		if (!values.has(name)) return [pair];
		const first = written.get(name);
		written.delete(name);
		return first === undefined ? [] : [first];
	});
	return [...kept, ...written.values()];
}

function byName(all) {
	const values = Object.create(null);
	for (const pair of all) {
		const name = nameOf(pair);
		const value = pair.includes("=") ? decoded(pair.slice(pair.indexOf("=") + 1).replaceAll("+", " ")) : "";
		if (!Object.hasOwn(values, name)) values[name] = value;
		else if (Array.isArray(values[name])) values[name].push(value);
		else values[name] = [values[name], value];
	}
	return values;
}

function nameOf(pair) {
	return decoded(pair.split("=", 1)[0].replaceAll("+", " "));
}

function encoded(text) {
	return encodeURIComponent(text.toWellFormed());
}

/** What is not rightly encoded stays as it is. */
function decoded(text) {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
`,
	examples: [
		{
			title: "A link to one form",
			params: {
				url: "HTTPS://Shop.Example.com/tea/gr%C3%BCn?utm_source=mail&size=2&fbclid=x#top",
				remove_tracking: true,
				fragment: null,
			},
			output: {
				url: "https://shop.example.com/tea/gr%C3%BCn?size=2",
				scheme: "https",
				host: "shop.example.com",
				port: null,
				path: "/tea/gr%C3%BCn",
				segments: ["tea", "grün"],
				query: { size: "2" },
				fragment: null,
			},
		},
		{
			title: "Parameters set and removed",
			params: { url: "http://localhost:8080?a=1&b=2&b=3", set: { a: "x & y", c: true, d: null } },
			output: {
				url: "http://localhost:8080/?a=x%20%26%20y&b=2&b=3&c=true",
				scheme: "http",
				host: "localhost",
				port: 8080,
				path: "/",
				segments: [],
				query: { a: "x & y", b: ["2", "3"], c: "true" },
				fragment: null,
			},
		},
		{
			title: "Not a whole address",
			params: { url: "example.com/a" },
			error: "url must be a whole address such as https://example.com/path",
		},
	],
});
