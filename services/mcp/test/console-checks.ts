import assert from "node:assert/strict";

/** A flat folder, as the console's build writes it. */
export const CONSOLE_FIXTURE: Readonly<Record<string, string>> = {
	"index.html": `<!doctype html><title>Console</title><script type="module" src="/console/main-AB12CD34.js"></script>
${"<!-- long enough to be worth compressing -->\n".repeat(40)}`,
	"main-AB12CD34.js": `export const answer = 42;\n${"// as long as a real one\n".repeat(100)}`,
	"main-0123ABCD.css": "body { margin: 0 }\n",
	"icon.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
};

type Ask = (
	path: string,
	init?: { readonly method?: string; readonly headers?: Readonly<Record<string, string>> },
) => Promise<Response>;

const POLICY = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"img-src 'self' data:",
	"font-src 'self'",
	"connect-src 'self'",
	"worker-src 'self'",
	"base-uri 'none'",
	"form-action 'self'",
	"frame-ancestors 'none'",
];

/** Checks for the console on every platform, by title. */
export const CONSOLE_CHECKS: Readonly<Record<string, (ask: Ask) => Promise<void>>> = {
	async "serves one page at every address of the console"(ask) {
		for (const path of [
			"/console",
			"/console?code=a&state=b",
			"/console/callback?code=a.b",
			"/console/workflows",
			"/console/workflows/report.v2",
			"/console/workflows/%E8%8C%B6/runs/0199",
		]) {
			const answer = await ask(path);
			assert.equal(answer.status, 200, path);
			assert.equal(answer.headers.get("content-type"), "text/html; charset=utf-8");
			assert.equal(answer.headers.get("cache-control"), "no-cache");
			assert.equal(await answer.text(), CONSOLE_FIXTURE["index.html"], path);
		}
	},

	async "is where the root leads"(ask) {
		const answer = await ask("/");
		assert.equal(answer.status, 302);
		assert.equal(answer.headers.get("location"), "/console");
	},

	async "redirects a trailing slash"(ask) {
		for (const [path, location] of [
			["/console/", "/console"],
			["/console/?a=/console/", "/console?a=/console/"],
		] as const) {
			const answer = await ask(path);
			assert.equal(answer.status, 308);
			assert.equal(answer.headers.get("location"), location);
		}
	},

	async "forbids external resources and framing"(ask) {
		for (const path of ["/console", "/console/main-AB12CD34.js"]) {
			const { headers } = await ask(path);
			assert.deepEqual(headers.get("content-security-policy")?.split("; "), POLICY);
			assert.equal(headers.get("x-content-type-options"), "nosniff");
			assert.equal(headers.get("referrer-policy"), "no-referrer");
			assert.equal(headers.get("cross-origin-opener-policy"), "same-origin");
			assert.equal(headers.get("access-control-allow-origin"), null);
		}
	},

	async "caches files with hashed names forever, and revalidates all others"(ask) {
		for (const [name, type, control] of [
			["main-AB12CD34.js", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"],
			["main-0123ABCD.css", "text/css; charset=utf-8", "public, max-age=31536000, immutable"],
			["icon.svg", "image/svg+xml", "no-cache"],
		] as const) {
			const answer = await ask(`/console/${name}`);
			assert.equal(answer.status, 200);
			assert.equal(answer.headers.get("content-type"), type);
			assert.equal(answer.headers.get("cache-control"), control);
			assert.equal(await answer.text(), CONSOLE_FIXTURE[name]);
		}
	},

	async "answers 304 if the ETag matches, and the whole file otherwise"(ask) {
		for (const path of ["/console", "/console/workflows", "/console/main-AB12CD34.js"]) {
			const etag = (await ask(path)).headers.get("etag") ?? "";
			assert.match(etag, /^W\/"[\w-]+"$/);
			for (const known of [etag, etag.slice(2), `"other", ${etag}`]) {
				const answer = await ask(path, { headers: { "if-none-match": known } });
				assert.equal(answer.status, 304, known);
				assert.equal(await answer.text(), "");
				assert.equal(answer.headers.get("etag"), etag);
			}
			assert.equal((await ask(path, { headers: { "if-none-match": '"other"' } })).status, 200);
		}
	},

	async "answers HEAD as GET without a body, and refuses methods that write"(ask) {
		for (const path of ["/console", "/console/main-AB12CD34.js"]) {
			const head = await ask(path, { method: "HEAD" });
			const whole = await ask(path);
			assert.deepEqual([head.status, await head.text()], [200, ""]);
			for (const name of ["etag", "content-type", "cache-control"])
				assert.equal(head.headers.get(name), whole.headers.get(name));
			const posted = await ask(path, { method: "POST" });
			assert.deepEqual([posted.status, posted.headers.get("allow")], [405, "GET, HEAD"]);
		}
	},

	async "serves nothing but its files"(ask) {
		for (const path of [
			"/console/other-AB12CD34.js",
			"/console/.stamp",
			"/console/..%2findex.html",
			"/console/a%2fb",
			"/console/a%2Fb.js",
			"/console/a%5cb",
			"/console/a%00",
			"/console/main-AB12CD34.js%00",
			"/console/main-AB12CD34.js%20",
			"/console/Main-AB12CD34.js",
			"/console/index.html.",
			"/console//",
			"/console/a//b",
			"/console/a/b/c/d/e",
			`/console/${"a".repeat(3000)}`,
			`/console/${"a".repeat(300)}.js`,
			"/consoles",
			"/Console",
		]) {
			const answer = await ask(path);
			assert.equal(answer.status, 404, path);
			assert.deepEqual(await answer.json(), { error: "not found" }, path);
		}
	},
};
