import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { forEachItem, JSON_TYPE, YAML_TYPE } from "./client.ts";
import { jsonTexts } from "./json-texts.ts";
import { bearer } from "./mcp-client.ts";
import { FORM_TYPE, OWNER_SECRET } from "./mcp-login.ts";
import type { Shared } from "./mcp-shared.ts";
import { assertDocumented, buildPath, type DescribedRoute, readRoutes } from "./routes.ts";
import { tally } from "./tally.ts";

const OWNER = "bodies";
const TOO_LARGE = `{"a":"${"x".repeat(2 * 1024 * 1024)}"}`;
const LOGIN = ["/register", "/token", "/revoke", "/authorize"];

/** Bodies that neither the console nor a client would send. */
export function hostileBodies(shared: Shared): void {
	describe("hostile bodies", () => {
		const { client, isNode } = shared;
		let routes: readonly DescribedRoute[];

		before(async () => {
			await shared.target.restart({ MCP_OWNER_SECRET: OWNER_SECRET, ALLOW_PLAINTEXT_NAMESPACE: "true" });
			routes = (await readRoutes(client)).filter(
				({ path, takesBody }) => takesBody && path.startsWith("/gui/"),
			);
			assert.ok(routes.length >= 8, String(routes.length));
			await shared.target.lines();
		});

		test("every console route gives a documented answer to almost valid JSON", async (t) => {
			await tally(t, `texts at ${routes.length} routes of the console`, async (count) => {
				const all = routes.flatMap((route, at) =>
					jsonTexts
						.filter((_, index) => (index + at) % (isNode ? 2 : 11) === 0)
						.map((text) => ({ route, text })),
				);
				await forEachItem(all, async ({ route, text }) => {
					for (const type of [JSON_TYPE, YAML_TYPE]) {
						const headers = [...bearer(OWNER), ...type];
						const answer = await client.call(route.method, buildPath(route, VALUES), {
							headers,
							body: text.bytes,
						});
						assertDocumented(route, answer, `${type[1]} ${text.name}`);
						count(answer.status < 500, `${route.method} ${route.path} ${text.name}: ${answer.status}`);
					}
				});
				// A file and a description may be larger than any other body.
				const large = ["/gui/files", "/gui/recipes/from-openapi"];
				for (const route of routes.filter(({ path }) => !large.includes(path))) {
					const headers = [...bearer(OWNER), ...JSON_TYPE];
					const values = route.path.startsWith("/gui/files/")
						? { id: "A".repeat(22) }
						: route.path.startsWith("/gui/questions/")
							? { ...VALUES, id: "0".repeat(32) }
							: VALUES;
					const answer = await client.call(route.method, buildPath(route, values), {
						headers,
						body: TOO_LARGE,
					});
					count(answer.status === 413, `${route.method} ${route.path}: ${answer.status}`);
				}
			});
			await assertNoLoggedErrors();
		});

		test("the login refuses anything but a form or a JSON object, with an OAuth error", async (t) => {
			await tally(t, "texts at the login", async (count) => {
				const texts = jsonTexts.filter((_, index) => isNode || index % 4 === 0);
				const all = LOGIN.flatMap((path) => texts.map((text) => ({ path, text })));
				// workerd closes the connection if a body is not read, which also breaks calls that have just arrived.
				const atOnce = isNode ? 16 : 1;
				const work = async ({ path, text }: (typeof all)[number]) => {
					for (const headers of [JSON_TYPE, FORM_TYPE]) {
						const { status, body } = await client.call("POST", path, { headers, body: text.bytes });
						const isSaid = path === "/authorize" || typeof (body as { error?: unknown })?.error === "string";
						count(
							(status === 400 || status === 413) && isSaid,
							`${path} ${headers[1]} ${text.name}: ${status}`,
						);
					}
				};
				await forEachItem(all, work, atOnce);
				for (const path of LOGIN) {
					const { status } = await client.call("POST", path, {
						headers: FORM_TYPE,
						body: `a=${"x".repeat(100_000)}`,
					});
					count(status === 413, `${path}: ${status}`);
				}
			});
			await assertNoLoggedErrors();
		});

		async function assertNoLoggedErrors(): Promise<void> {
			const errors = (await shared.target.lines()).filter(({ level }) => level === "error");
			assert.deepEqual(errors, []);
		}
	});
}

const VALUES = {
	name: "unknown",
	number: "1",
	id: "01890000-0000-7000-8000-000000000000",
	execution_id: "01890000-0000-7000-8000-000000000000",
};
