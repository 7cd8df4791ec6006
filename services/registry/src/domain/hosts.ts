/** Names that no public server has. */
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

/** Why a component of the market may not call this host, or null. What a credential names is known only when it runs. */
export function hostProblem(host: string): string | null {
	const name = host.replace(/^\*\./, "").replace(/:\d+$/, "");
	const labels = name.split(".");
	const last = labels.at(-1) ?? "";
	if (name.startsWith("[") || /^(?:\d+|0x[0-9a-f]*)$/.test(last))
		return `${host} is an address: name the host instead`;
	if (last.endsWith("}") || (labels.length > 1 && !NOT_PUBLIC.has(last))) return null;
	return `${host} is not a public name: a component may call public hosts only`;
}

/** The addresses in a text. Where a host is put together at run time there is none to see. */
export function addressesIn(text: string): URL[] {
	return [...text.matchAll(/\b(?:https?|wss?):\/\/([^\s"'`<>\\]+)/gi)].flatMap(([url, rest = ""]) => {
		const authority = rest.split(/[/?#]/, 1)[0] ?? "";
		return /[${}]/.test(authority) ? [] : (URL.parse(url) ?? []);
	});
}
