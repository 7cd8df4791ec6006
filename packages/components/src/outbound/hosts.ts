import { type Credential, fillFields, getFieldValue, listFields } from "../auth/credential.ts";

/** Whether a pattern matches the URL's host: `api.example.com`, `*.example.com`, `example.com:8443`, `[::1]:8080` or `*`. */
export const isWithin = (url: URL, hosts: readonly string[]): boolean =>
	hosts.some((host) => host === "*" || matchesHost(url, host));

/** A recipe's hosts for one credential: `{field}` is replaced with the field's value. */
export const resolveHosts = (hosts: readonly string[], credential: Credential | null): string[] =>
	hosts.flatMap((host) => (host.includes("{") ? resolveHost(host, credential) : [host]));

/** Why the credential must not be sent to the URL, or null. */
export function findBindingProblem(credential: Credential, url: URL): string | null {
	const hosts = resolveHosts(credential.recipe.hosts, credential);
	const name = JSON.stringify(credential.name);
	if (hosts.length === 0) return `credential ${name} has no allowed hosts and cannot be sent to ${url.host}`;
	if (!isWithin(url, hosts))
		return `credential ${name} may be sent only to ${hosts.join(", ")}, not to ${url.host}`;
	if (isInsecure(url)) {
		return `credential ${name} may not be sent to ${url.host} over plain http, where others on the network can read it: use https`;
	}
	return null;
}

/** Plain http to a host outside this machine and its private network. */
export const isInsecure = ({ protocol, hostname }: URL): boolean =>
	protocol !== "https:" && !isLocalHost(hostname);

const HOST_AND_PORT = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { "https:": "443", "http:": "80" };

function matchesHost(url: URL, host: string): boolean {
	const [, name = "", port = ""] = HOST_AND_PORT.exec(host) ?? [];
	const isPort =
		port === "" ? url.port === "" : port === (url.port === "" ? DEFAULT_PORTS[url.protocol] : url.port);
	if (!isPort || name === "") return false;
	if (!name.startsWith("*.")) return url.hostname === name;
	return url.hostname.endsWith(name.slice(1)) && url.hostname.length >= name.length;
}

/** Characters with which a field's value could turn a host name into something else. */
const NOT_IN_HOST = /[\s/\\?#@*%{}]/;

function resolveHost(host: string, credential: Credential | null): string[] {
	if (credential === null) return [];
	const isOpen = (name: string) =>
		credential.recipe.fields.some((field) => field.name === name && !field.secret);
	const values = listFields(host).map((name) => (isOpen(name) ? getFieldValue(credential, name) : ""));
	if (values.some((value) => value === "" || NOT_IN_HOST.test(value))) return [];
	const [, prefix = "", rest = ""] = /^(\*\.)?(.*)$/.exec(fillFields(host, credential)) ?? [];
	// An http URL drops port 80 and an https URL drops port 443, so parsing both preserves any port.
	const [plain, secure] = [URL.parse(`http://${rest}`), URL.parse(`https://${rest}`)];
	if (plain === null || secure === null) return [];
	return [prefix + (plain.port === "" ? secure.host : plain.host)];
}

/** Loopback and private addresses, where plain http is common. */
const isLocalHost = (hostname: string): boolean =>
	hostname === "localhost" ||
	hostname.endsWith(".localhost") ||
	/^(?:127|10)(?:\.\d{1,3}){3}$|^192\.168(?:\.\d{1,3}){2}$|^172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}$/.test(
		hostname,
	) ||
	/^\[(?:::1|f[cd][0-9a-f]{2}:[0-9a-f:]*)\]$/.test(hostname);
