import { type Credential, fieldsIn, fieldValue, filled } from "../auth/credential.ts";

/** Whether the URL's host is one of `api.example.com`, `*.example.com`, `example.com:8443`, `[::1]:8080` or `*`. */
export const isWithin = (url: URL, hosts: readonly string[]): boolean =>
	hosts.some((host) => host === "*" || matches(url, host));

/** A recipe's hosts for one credential: `{field}` is the value of its field. */
export const hostsFor = (hosts: readonly string[], credential: Credential | null): string[] =>
	hosts.flatMap((host) => (host.includes("{") ? namedByField(host, credential) : [host]));

/** Why the credential must not go there, or null. */
export function bindingProblem(credential: Credential, url: URL): string | null {
	const hosts = hostsFor(credential.recipe.hosts, credential);
	const name = JSON.stringify(credential.name);
	if (hosts.length === 0) return `credential ${name} may be sent nowhere, so not to ${url.host}`;
	if (!isWithin(url, hosts))
		return `credential ${name} may be sent only to ${hosts.join(", ")}, not to ${url.host}`;
	if (isReadableByOthers(url)) {
		return `credential ${name} may not be sent to ${url.host} over http, where others on the way can read it: use https`;
	}
	return null;
}

/** Plain http that leaves this machine and its own network. */
export const isReadableByOthers = ({ protocol, hostname }: URL): boolean =>
	protocol !== "https:" && !isNear(hostname);

const HOST_AND_PORT = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { "https:": "443", "http:": "80" };

function matches(url: URL, host: string): boolean {
	const [, name = "", port = ""] = HOST_AND_PORT.exec(host) ?? [];
	const isPort =
		port === "" ? url.port === "" : port === (url.port === "" ? DEFAULT_PORTS[url.protocol] : url.port);
	if (!isPort || name === "") return false;
	if (!name.startsWith("*.")) return url.hostname === name;
	return url.hostname.endsWith(name.slice(1)) && url.hostname.length >= name.length;
}

/** What a field's value would need to turn a host name into something else. */
const NOT_IN_HOST = /[\s/\\?#@*%{}]/;

function namedByField(host: string, credential: Credential | null): string[] {
	if (credential === null) return [];
	const isOpen = (name: string) =>
		credential.recipe.fields.some((field) => field.name === name && !field.secret);
	const values = fieldsIn(host).map((name) => (isOpen(name) ? fieldValue(credential, name) : ""));
	if (values.some((value) => value === "" || NOT_IN_HOST.test(value))) return [];
	const [, prefix = "", rest = ""] = /^(\*\.)?(.*)$/.exec(filled(host, credential)) ?? [];
	// An address in plain http keeps the port 443 and one in https the port 80, so together they keep any.
	const [plain, secure] = [URL.parse(`http://${rest}`), URL.parse(`https://${rest}`)];
	if (plain === null || secure === null) return [];
	return [prefix + (plain.port === "" ? secure.host : plain.host)];
}

/** Loopback and private addresses, where plain http is usual. */
const isNear = (hostname: string): boolean =>
	hostname === "localhost" ||
	hostname.endsWith(".localhost") ||
	/^(?:127|10)(?:\.\d{1,3}){3}$|^192\.168(?:\.\d{1,3}){2}$|^172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}$/.test(
		hostname,
	) ||
	/^\[(?:::1|f[cd][0-9a-f]{2}:[0-9a-f:]*)\]$/.test(hostname);
