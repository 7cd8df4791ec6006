import type { WriteAuthRecipe } from "@tripline/contract/recipes";
import type { JsonObject } from "@tripline/contract/workflows";
import { toSnakeCase } from "./names.ts";
import type { FoundOperation } from "./operations.ts";
import type { AuthPlaces } from "./request.ts";
import type { Resolver } from "./resolver.ts";
import type { Server } from "./server.ts";
import { getMember, isObject, shorten, toList, toObject, toText } from "./values.ts";

/** How requests are authorized, before the server is known. */
export interface Auth {
	/** Ending of the auth recipe's id. */
	readonly suffix: string;
	readonly places: AuthPlaces;
	build(title: string, server: Server): WriteAuthRecipe;
}

type Kind = WriteAuthRecipe;
interface Scheme {
	readonly name: string;
	readonly value: JsonObject;
}
interface Requirement {
	readonly schemes: readonly { readonly name: string; readonly scopes: readonly string[] }[];
}

const MAX_REQUIREMENTS = 20;
const MAX_SCOPES_LENGTH = 2_000;
const NOWHERE: AuthPlaces = new Set();

/** The first way to authorize that recipes support, of those that the operations allow. Null if they need none. */
export function readAuth(
	document: JsonObject,
	operations: readonly FoundOperation[],
	resolver: Resolver,
): Auth | null {
	const schemes = toObject(toObject(document.components).securitySchemes);
	const wanted = new Map<string, Requirement & { scopes: Set<string>; count: number }>();
	let open = 0;
	for (const { operation } of operations) {
		const requirements = listRequirements(operation.security ?? document.security);
		if (requirements.length === 0) open++;
		for (const requirement of requirements) {
			resolver.meter.spend(50);
			const key = requirement.schemes.map(({ name }) => name).join(" ");
			const known = wanted.get(key) ?? { ...requirement, scopes: new Set<string>(), count: 0 };
			for (const { scopes } of requirement.schemes) for (const scope of scopes) known.scopes.add(scope);
			known.count++;
			wanted.set(key, known);
		}
	}
	if (wanted.size === 0) {
		if (Object.keys(schemes).length > 0 && document.security === undefined)
			resolver.notes.add(
				"components.securitySchemes",
				"are not used by these operations: the recipe has no auth",
			);
		return null;
	}
	const ordered = [...wanted.values()].sort((a, b) => b.count - a.count);
	for (const { schemes: names, scopes, count } of ordered) {
		const found = names.map(({ name }) => ({
			name,
			value: resolver.resolve(getMember(schemes, name), `components.securitySchemes.${name}`)?.value ?? {},
		}));
		const auth = toAuth(found, [...scopes], resolver);
		if (auth === null) continue;
		if (count + open < operations.length)
			resolver.notes.add(
				"security",
				"not all of these operations allow the same way to authorize; the recipe has the most frequent one",
			);
		return auth;
	}
	return null;
}

function listRequirements(security: unknown): Requirement[] {
	return toList(security)
		.slice(0, MAX_REQUIREMENTS)
		.filter(isObject)
		.filter((one) => Object.keys(one).length > 0)
		.map((one) => ({
			schemes: Object.entries(one)
				.slice(0, 4)
				.map(([name, scopes]) => ({
					name,
					scopes: toList(scopes)
						.slice(0, 100)
						.filter((scope): scope is string => typeof scope === "string"),
				})),
		}));
}

/** Null, with a note, if recipes do not support it. */
function toAuth(schemes: readonly Scheme[], scopes: readonly string[], resolver: Resolver): Auth | null {
	const [first, ...more] = schemes;
	if (first === undefined) return null;
	if (schemes.every(({ value }) => value.type === "apiKey")) return toKeys(schemes, resolver);
	if (more.length > 0 && schemes.every(({ value }) => value.type === "oauth2")) {
		// They set the same header, so that one of them is enough.
		const usable = schemes.find(({ value }) => findFlow(value) !== null) ?? first;
		return toAuth([usable], scopes, resolver);
	}
	if (more.length > 0) {
		const names = schemes.map(({ name }) => name).join(", ");
		resolver.notes.add("security", `needs ${names} together, which recipes do not support`);
		return null;
	}
	const { name, value } = first;
	const refuse = (message: string) => {
		resolver.notes.add(`components.securitySchemes.${name}`, message);
		return null;
	};
	switch (value.type) {
		case "http":
			if (/^bearer$/i.test(toText(value.scheme))) return toBearer(value);
			if (/^basic$/i.test(toText(value.scheme))) return toBasic(value);
			return refuse(`the HTTP scheme ${JSON.stringify(toText(value.scheme).slice(0, 40))} is not supported`);
		case "oauth2":
			return toOauth(value, scopes, refuse);
		case "openIdConnect":
			return refuse("OpenID Connect is not supported: create an auth recipe for it");
		default:
			return refuse(
				`is of the type ${JSON.stringify(value.type ?? null).slice(0, 40)}, which is not supported`,
			);
	}
}

const help = ({ description }: JsonObject, otherwise: string): string =>
	shorten(toText(description).slice(0, 2_000), 300) || otherwise;

const secret = (name: string, text: string) => ({ name, secret: true, help: text });

/** What all auth recipes have. */
const common = (title: string, server: Server) => ({
	title: shorten(title, 120) || "API",
	hosts: [server.host],
});

const open = ({ fields }: Server) =>
	fields.map(({ name, help: text }) => ({ name, secret: false, help: text }));

function toBearer(value: JsonObject): Auth {
	return {
		suffix: "token",
		places: NOWHERE,
		build: (title, server): Kind => ({
			...common(`${title} token`, server),
			type: "bearer",
			fields: [...open(server), secret("token", help(value, "Sent as the header Authorization: Bearer"))],
			inject: { token: "{token}" },
		}),
	};
}

function toBasic(value: JsonObject): Auth {
	return {
		suffix: "login",
		places: NOWHERE,
		build: (title, server): Kind => ({
			...common(`${title} login`, server),
			type: "basic",
			fields: [
				...open(server),
				{ name: "username", secret: false, help: help(value, "The user name") },
				secret("password", "The password"),
			],
			inject: { username: "{username}", password: "{password}" },
		}),
	};
}

/** One key, or several at the same place. */
function toKeys(schemes: readonly Scheme[], resolver: Resolver): Auth | null {
	const places = new Set(schemes.map(({ value }) => toText(value.in)));
	const [place = ""] = places;
	if (places.size > 1 || (place !== "header" && place !== "query")) {
		const where = [...places].join(" and ");
		resolver.notes.add("components.securitySchemes", `keys in ${where} are not supported`);
		return null;
	}
	const keys = schemes.map(({ name, value }) => ({
		sent: place === "header" ? toText(value.name).toLowerCase() : toText(value.name),
		field: schemes.length === 1 ? "key" : toSnakeCase(name).replace(/^(?=\d)/, "k") || "key",
		text: help(
			value,
			`Sent as the ${place === "header" ? "header" : "query parameter"} ${toText(value.name)}`,
		),
	}));
	if (keys.some(({ sent }) => sent === "" || sent.length > 100)) return null;
	const inject = Object.fromEntries(keys.map(({ sent, field }) => [sent, `{${field}}`]));
	return {
		suffix: "key",
		places: new Set(keys.map(({ sent }) => `${place}:${sent}`)),
		build(title, server): Kind {
			const taken = new Set(server.fields.map(({ name }) => name));
			if (keys.some(({ field }) => taken.has(field)))
				throw new Error("the fields of an auth recipe have the same name");
			const fields = [...open(server), ...keys.map(({ field, text }) => secret(field, text))];
			const parts = { ...common(`${title} key`, server), fields };
			return place === "header"
				? { ...parts, type: "header", inject: { headers: inject } }
				: { ...parts, type: "query", inject: { query: inject } };
		},
	};
}

function toOauth(
	value: JsonObject,
	scopes: readonly string[],
	refuse: (message: string) => null,
): Auth | null {
	const flow = findFlow(value);
	if (flow === null) {
		refuse("has no OAuth flow that recipes support; the auth recipe takes a token instead");
		return toBearer({});
	}
	const { tokenUrl, authorizeUrl } = flow;
	const isCode = authorizeUrl !== null;
	const scope = scopes.join(" ").slice(0, MAX_SCOPES_LENGTH);
	const client = [
		{ name: "client_id", secret: false, help: "Of the app that you registered at the service" },
		secret("client_secret", "Of the app that you registered at the service"),
	];
	const shared = { token_url: tokenUrl, client_id: "{client_id}", ...(scope !== "" && { scope }) };
	return {
		suffix: isCode ? "oauth" : "client",
		places: NOWHERE,
		build(title, server): Kind {
			const parts = { ...common(title, server), fields: [...open(server), ...client] };
			if (!isCode)
				return {
					...parts,
					type: "oauth2_client_credentials",
					inject: { ...shared, client_secret: "{client_secret}", client_auth: "basic" },
				};
			return {
				...parts,
				type: "oauth2_authorization_code",
				inject: {
					...shared,
					authorize_url: authorizeUrl,
					client_secret: "{client_secret}",
					client_auth: "basic",
				},
			};
		},
	};
}

/** A flow that recipes support; signing in goes first. Without `authorizeUrl` it is that of a client. */
function findFlow({ flows }: JsonObject): { tokenUrl: string; authorizeUrl: string | null } | null {
	const { authorizationCode, clientCredentials } = toObject(flows);
	const code = toObject(authorizationCode);
	const [tokenUrl, authorizeUrl] = [readUrl(code.tokenUrl), readUrl(code.authorizationUrl)];
	if (tokenUrl !== null && authorizeUrl !== null) return { tokenUrl, authorizeUrl };
	const own = readUrl(toObject(clientCredentials).tokenUrl);
	return own === null ? null : { tokenUrl: own, authorizeUrl: null };
}

/** An https address; null otherwise. */
function readUrl(value: unknown): string | null {
	const url = URL.parse(toText(value));
	if (url === null || url.protocol !== "https:" || url.username !== "" || url.password !== "") return null;
	return url.href.length > 1_000 || /[{}]/.test(url.href) ? null : url.href;
}
