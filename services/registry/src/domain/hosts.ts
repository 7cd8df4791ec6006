/** Top-level names that no public server has. */
const NOT_PUBLIC = new Set([
	"local",
	"localhost",
	"internal",
	"intranet",
	"lan",
	"home",
	"corp",
	"private",
	"arpa",
	"invalid",
	"test",
	"onion",
]);

/** Why a market component may not call this host, or null. A host named by a credential is known only at run time. */
export function findHostProblem(host: string): string | null {
	const name = host.replace(/^\*\./, "").replace(/:\d+$/, "");
	const labels = name.split(".");
	const last = labels.at(-1) ?? "";
	if (name.startsWith("[") || /^(?:\d+|0x[0-9a-f]*)$/.test(last))
		return `${host} is an IP address: use a host name instead`;
	if (last.endsWith("}") || (labels.length > 1 && !NOT_PUBLIC.has(last))) return null;
	return `${host} is not a public name: components may call only public hosts`;
}

/** The URLs in a text, except those whose host is built at run time. */
export function findAddresses(text: string): URL[] {
	return [...text.matchAll(/\b(?:https?|wss?):\/\/([^\s"'`<>\\]+)/gi)].flatMap(([url, rest = ""]) => {
		const authority = rest.split(/[/?#]/, 1)[0] ?? "";
		return /[${}]/.test(authority) ? [] : (URL.parse(url) ?? []);
	});
}
