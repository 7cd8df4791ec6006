import assert from "node:assert/strict";
import { parseElements } from "../../services/mcp/test/pages/markup.ts";

export const OWNER_SECRET = "the owner's secret of these tests";

/**
 * Does what the owner does in a browser: opens the client's authorization page, enters the secret and submits the form.
 * Returns the URL to which the browser is redirected with the code.
 */
export async function grantAccess(authorizeUrl: string | URL): Promise<URL> {
	const page = await fetch(authorizeUrl);
	assert.equal(page.status, 200);
	const elements = parseElements(await page.text());
	const form = elements.find(({ tag }) => tag === "form")?.attributes;
	const hidden = elements
		.filter(({ tag, attributes }) => tag === "input" && attributes.get("type") === "hidden")
		.map(({ attributes }): [string, string] => [attributes.get("name") ?? "", attributes.get("value") ?? ""]);
	const answer = await fetch(new URL(form?.get("action") ?? "", authorizeUrl), {
		method: form?.get("method") ?? "get",
		redirect: "manual",
		body: new URLSearchParams([...hidden, ["owner_secret", OWNER_SECRET]]),
	});
	assert.equal(answer.status, 302);
	return new URL(answer.headers.get("location") ?? "");
}

/** The same, and follows the redirect to a client that listens. */
export async function visitConsentPage(authorizeUrl: string | URL): Promise<void> {
	const answer = await followBack(await grantAccess(authorizeUrl));
	await answer.arrayBuffer();
	assert.ok(answer.ok, `the client answered its own callback with ${answer.status}`);
}

/** A client may print the address before it listens; a person would not be as fast. */
async function followBack(back: URL, until = Date.now() + 10_000): Promise<Response> {
	try {
		return await fetch(back);
	} catch (error) {
		if (Date.now() > until) throw error;
		await new Promise((resolve) => setTimeout(resolve, 100));
		return followBack(back, until);
	}
}
