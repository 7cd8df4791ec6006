import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { toSnakeCase } from "./names.ts";
import { DescriptionProblem, type Notes } from "./problem.ts";
import { getMember, isObject, toList, toObject, toText } from "./values.ts";

/** Where the service is. */
export interface Server {
	/** As in a recipe: fields of the credential are written `{{credential.name}}`. */
	readonly baseUrl: string;
	/** As in an auth recipe: fields are written `{name}`. */
	readonly host: string;
	/** Fields of the credential that are part of the host. */
	readonly fields: readonly { readonly name: string; readonly help: string }[];
}

const MAX_SERVERS = 50;
const MAX_VARIABLES = 20;
const MAX_URL_LENGTH = 500;

/** The servers of a list, those with https first. */
export function listServers(servers: Json | undefined): JsonObject[] {
	const all = toList(servers).slice(0, MAX_SERVERS).filter(isObject);
	const isSecure = ({ url }: JsonObject) => !toText(url).startsWith("http://");
	return [...all.filter(isSecure), ...all.filter((one) => !isSecure(one))];
}

export interface ServerOptions {
	/** One of the description's servers, or an address to use instead. */
	readonly server?: string | undefined;
	/** Where the description was read from: relative servers start there. */
	readonly location?: string | undefined;
	/** Whether a credential can have fields. */
	readonly hasAuth: boolean;
}

/** Reads the server that is chosen, or else the first one. */
export function readServer(servers: readonly JsonObject[], options: ServerOptions, notes: Notes): Server {
	const { server: wanted, location } = options;
	const listed = wanted === undefined ? undefined : servers.find(({ url }) => toText(url) === wanted);
	const first = listed ?? servers[0];
	const url = toText(first?.url).trim();
	if (wanted !== undefined && listed === undefined) {
		if (!/^https?:\/\//i.test(wanted))
			throw new DescriptionProblem(
				`server must be an address that starts with https://, or one of ${describeServers(servers)}`,
			);
		return parseServer(isAbsolute(url) || url === "" ? wanted : joinUrl(wanted, url), {}, options, notes);
	}
	if (url !== "" && isAbsolute(url)) return parseServer(url, toObject(first?.variables), options, notes);
	if (location === undefined)
		throw new DescriptionProblem(
			"the description does not say where the service is: set server to its address, such as https://api.example.com",
		);
	return parseServer(
		joinUrl(location, fillVariables(url || "/", toObject(first?.variables))),
		{},
		options,
		notes,
	);
}

const isAbsolute = (url: string): boolean =>
	/^(?:https?|\{[^}]*\}):\/\//i.test(url) || /^\{[^}]*\}/.test(url) || url.startsWith("//");

const describeServers = (servers: readonly JsonObject[]): string =>
	servers
		.slice(0, 5)
		.map(({ url }) => JSON.stringify(toText(url).slice(0, 100)))
		.join(", ") || "none";

function joinUrl(base: string, relative: string): string {
	const url = URL.parse(relative, base);
	if (url === null)
		throw new DescriptionProblem(
			`the server ${JSON.stringify(relative.slice(0, 100))} is not a valid address`,
		);
	return url.href;
}

const VARIABLE = /\{([^{}]*)\}/g;

const readDefault = (variables: JsonObject, name: string): string => {
	const variable = toObject(getMember(variables, name));
	const value = variable.default ?? toList(variable.enum)[0] ?? "";
	return typeof value === "object" ? "" : String(value);
};

const fillVariables = (text: string, variables: JsonObject): string => {
	let count = 0;
	return text.replace(VARIABLE, (_, name: string) =>
		++count > MAX_VARIABLES ? "" : readDefault(variables, name),
	);
};

/** A variable that is a whole label of the host becomes a field of the credential; all others have their defaults. */
function parseServer(
	written: string,
	variables: JsonObject,
	{ hasAuth }: ServerOptions,
	notes: Notes,
): Server {
	if (written.length > MAX_URL_LENGTH) throw new DescriptionProblem("the server's address is too long");
	const whole = written.startsWith("//") ? `https:${written}` : written;
	const [, scheme = "https", authority = "", rest = ""] =
		/^([^:/]*(?:\{[^}]*\})?):\/\/([^/?#]*)([^?#]*)/.exec(expandWhole(whole, variables, hasAuth)) ?? [];
	const fields: { name: string; help: string }[] = [];
	const labels = authority.split(".").map((label) => {
		const name = /^\{([^{}]+)\}$/.exec(label)?.[1];
		if (name === undefined || !hasAuth) {
			const filled = fillVariables(label, variables);
			if (filled !== label)
				notes.add("servers", `the address uses ${JSON.stringify(filled)} for ${JSON.stringify(label)}`);
			return { base: filled, host: filled };
		}
		const field = toSnakeCase(name) || "host";
		const description = toText(toObject(getMember(variables, name)).description).trim();
		const example = readDefault(variables, name);
		const help = description || (example === "" ? `The part ${label} of ${written}` : `Such as ${example}`);
		if (!fields.some((one) => one.name === field))
			fields.push({ name: field, help: help.slice(0, 300).toWellFormed() });
		return { base: `{{credential.${field}}}`, host: `{${field}}` };
	});
	const join = (part: "base" | "host") => labels.map((label) => label[part]).join(".");
	const path = fillVariables(rest, variables)
		.replace(/\/+$/, "")
		.replace(/\/{2,}/g, "/");
	const protocol = chooseScheme(fillVariables(scheme, variables), authority, notes);
	const plain = URL.parse(
		`${protocol}://${labels.map(({ base }) => (base.startsWith("{{") ? "field" : base)).join(".")}${path}`,
	);
	if (plain === null || plain.username !== "" || plain.password !== "" || authority === "")
		throw new DescriptionProblem(
			`the server ${JSON.stringify(written.slice(0, 100))} is not a valid address`,
		);
	const host = fields.length > 0 ? join("host").toLowerCase() : plain.host;
	const base = fields.length > 0 ? join("base") : plain.host;
	return { baseUrl: `${protocol}://${base}${plain.pathname.replace(/\/$/, "")}`, host, fields };
}

/** `{endpoint}` as the start of an address: its default is an address, or it is the host. */
function expandWhole(url: string, variables: JsonObject, hasAuth: boolean): string {
	const name = /^\{([^{}]+)\}(?:\/|$)/.exec(url)?.[1];
	if (name === undefined) return url;
	const value = readDefault(variables, name);
	const rest = url.slice(name.length + 2);
	if (/^https?:\/\//.test(value)) return value.replace(/\/$/, "") + rest;
	return hasAuth || value === "" ? `https://{${name}}${rest}` : `https://${value}${rest}`;
}

const LOCAL = /^(?:localhost|[^/]*\.localhost|\[.*\]|\d+(?:\.\d+){3})(?::\d+)?$/;

function chooseScheme(scheme: string, authority: string, notes: Notes): "http" | "https" {
	if (scheme.toLowerCase() !== "http") return "https";
	if (LOCAL.test(authority)) return "http";
	notes.add("servers", "the address starts with http://; the recipe uses https://");
	return "https";
}
