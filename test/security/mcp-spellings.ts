/** Spellings of a path that some routers or proxies treat as equal. workerd normalizes those with dots. */
export function listSpellings(path: string, { dots }: { readonly dots: boolean }): string[] {
	const last = path.lastIndexOf("/");
	const [head, tail] = [path.slice(0, last), path.slice(last + 1)];
	const all = [
		`${path}/`,
		`/${path}`,
		path.replaceAll("/", "//"),
		path.toUpperCase(),
		`/%2F${path.slice(1)}`,
		`/%2f${path.slice(1)}`,
		`/%${path.charCodeAt(1).toString(16)}${path.slice(2)}`,
		`${head}/%${tail.charCodeAt(0).toString(16)}${tail.slice(1)}`,
		`/${path.slice(1).replaceAll("/", "%2F")}%2F`,
		`${head}%5c${tail}`,
		`${path}%00`,
		`${path}%20`,
		`${path}%2f`,
		`${path}%3f`,
		`${path}%23`,
		`${path};a=b`,
		`${path}.json`,
		`${path}/x`,
		`/healthz%2f..${path}`,
		`/docs;${path}`,
		`/api${path}`,
		`/mcp${path}`,
		`/.well-known${path}`,
	];
	const resolved = [`/.${path}`, `/x/..${path}`, `/healthz/..${path}`, `/%2e${path}`, `/x/%2e%2e${path}`];
	return [...all, ...(dots ? resolved : [])].filter(
		(spelling) => spelling !== path && spelling.startsWith("/"),
	);
}
