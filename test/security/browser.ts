import assert from "node:assert/strict";

/** As much of a browser as a login needs: cookies, redirects and forms. */
export function createBrowser() {
	const cookies = new Map<string, { readonly path: string; readonly value: string }>();
	const visited: string[] = [];
	let url = "";
	let page = "";

	async function load(address: string, form?: Readonly<Record<string, string>>): Promise<string> {
		let next: string | null = new URL(address, url || undefined).href;
		let body = form === undefined ? undefined : new URLSearchParams(form);
		for (let hops = 0; next !== null; hops++) {
			assert.ok(hops < 10, "too many redirects");
			const response: Response = await fetch(next, {
				method: body === undefined ? "GET" : "POST",
				redirect: "manual",
				headers: {
					cookie: renderCookies(new URL(next).pathname),
					...(body === undefined ? {} : { origin: new URL(url).origin }),
				},
				...(body === undefined ? {} : { body }),
			});
			response.headers.getSetCookie().forEach(keepCookie);
			url = next;
			visited.push(url);
			page = await response.text();
			const location = response.headers.get("location");
			next = location === null ? null : new URL(location, url).href;
			body = undefined;
		}
		return page;
	}

	function keepCookie(text: string): void {
		const [pair = "", ...attributes] = text.split(/;\s*/);
		const [name = "", value = ""] = pair.split("=");
		const path = attributes.find((each) => /^path=/i.test(each))?.slice(5) ?? "/";
		if (value === "" || attributes.some((each) => /^max-age=0$/i.test(each))) cookies.delete(name);
		else cookies.set(name, { path, value });
	}

	const renderCookies = (path: string) =>
		[...cookies]
			.filter(([, cookie]) => path.startsWith(cookie.path))
			.map(([name, { value }]) => `${name}=${value}`)
			.join("; ");

	return {
		/** Every address, in order. */
		visited,

		open: (address: string) => load(address),

		/** Sends the form of the page. */
		submit(fields: Readonly<Record<string, string>>): Promise<string> {
			const [, action] = /<form[^>]*action="([^"]*)"/.exec(page) ?? [];
			assert.match(page, /<form/, page);
			return load(action ?? url, fields);
		},

		/** Opens the address that the pattern finds in the page. */
		follow(pattern: RegExp): Promise<string> {
			const [, address] = pattern.exec(page) ?? assert.fail(page);
			return load(address as string);
		},
	};
}
