import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Opened, openTools } from "./open-tools.ts";

interface Components {
	readonly components: readonly {
		readonly id: string;
		readonly source: string;
		readonly description: string;
	}[];
	readonly total: number;
	readonly next_cursor: string | null;
	readonly next: string;
}

interface Component {
	readonly id: string;
	readonly description: string;
	readonly parameters: { readonly type: string; readonly properties: object };
	readonly examples: readonly unknown[];
	readonly takes_credential: boolean;
	readonly credentials: readonly string[];
	readonly truncated: boolean;
	readonly next: string;
}

describe("the tools for components", () => {
	let service: Opened;
	before(async () => {
		service = await openTools();
	});
	after(() => service.close());

	test("list_components pages through all components, each once", async () => {
		const acme = service.as("lists");
		const seen: string[] = [];
		let cursor: string | null = null;
		let total = 0;
		do {
			const page: Components = await acme.call<Components>("list_components", {
				limit: 10,
				...(cursor === null ? {} : { cursor }),
			});
			seen.push(...page.components.map(({ id }) => id));
			({ next_cursor: cursor, total } = page);
		} while (cursor !== null);
		assert.equal(seen.length, total);
		assert.equal(new Set(seen).size, total);
		assert.ok(seen.includes("http_request"));
	});

	test("list_components filters by words and by source", async () => {
		const acme = service.as("finds");
		const found = await acme.call<Components>("list_components", { query: "HTTP request" });
		assert.equal(found.components[0]?.id, "http_request");
		assert.equal(
			(await acme.call<Components>("list_components", { query: "kb_search" })).components[0]?.id,
			"kb_search",
		);
		const built = await acme.call<Components>("list_components", { source: "built-in", limit: 200 });
		assert.ok(built.components.every(({ source }) => source === "built-in"));
		const none = await acme.call<Components>("list_components", { query: "zzzz" });
		assert.match(none.next, /No match/);
	});

	test("get_component returns every component within any budget", async () => {
		const acme = service.as("gets");
		const { components } = await acme.call<Components>("list_components", { limit: 200 });
		for (const { id } of components) {
			const whole = await acme.call<Component>("get_component", { id });
			assert.equal(whole.id, id);
			assert.equal(whole.truncated, false, id);
			assert.equal(whole.parameters.type, "object");
			const { description } = (await acme.context.executor.components.get(id)) ?? {};
			assert.equal(whole.description, description);
			const little = await acme.call<Component>("get_component", { id, max_chars: 2_000 });
			assert.ok(little.description === description || little.truncated, id);
		}
	});

	test("get_component lists matching stored credentials", async () => {
		const acme = service.as("credentials");
		await acme.context.executor.credentials.put("hook", {
			auth_recipe: "signing_secret",
			fields: { secret: "canary-of-the-tests" },
		});
		const http = await acme.call<Component>("get_component", { id: "http_request" });
		assert.equal(http.takes_credential, true);
		assert.ok(!JSON.stringify(http).includes("canary"));
		const set = await acme.call<Component>("get_component", { id: "set" });
		assert.deepEqual([set.takes_credential, set.credentials], [false, []]);
	});

	test("get_component says what the user does to add the credential that it needs", async () => {
		const acme = service.as("kinds");
		await service.seed();
		await acme.context.executor.credentials.put("hook", {
			auth_recipe: "signing_secret",
			fields: { secret: "canary-of-the-tests" },
		});
		const issue = await acme.call<Component>("get_component", { id: "github.create_issue" });
		assert.match(
			issue.next,
			/the user adds one in the console: Credentials > Add credential, type github_token or github_oauth\. Use it/,
		);
	});

	test("suggests similar ids for an unknown component", async () => {
		const acme = service.as("near");
		assert.match(await acme.problem("get_component", { id: "http_requst" }), /Did you mean "http_request"/);
		assert.match(await acme.problem("get_component", { id: "search" }), /Similar names: "kb_search"/);
		assert.match(await acme.problem("get_component", { id: "../\ud800%" }), /There is no component/);
	});
});
