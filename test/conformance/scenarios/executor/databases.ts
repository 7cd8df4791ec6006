import assert from "node:assert/strict";
import { Validation } from "@tripline/contract/executor";
import * as z from "zod";
import type { Scenario } from "../../scenario.ts";
import { putCredential } from "./credential.ts";
import { onOwnService } from "./own-service.ts";
import { onSeeded } from "./seeded.ts";
import { createRow, failOnce } from "./token-webhook.ts";

const FIELDS = { host: "127.0.0.1:1", database: "shop", user: "app", password: "hush-hush-hush", tls: "off" };

const scenarios: readonly Scenario[] = [
	{
		name: "sql_query is refused at saving where the platform reaches no database, and elsewhere guards addresses",
		cites: [],
		async run(world) {
			await putCredential(world, "shop", "postgresql", FIELDS);
			const node = { component: "sql_query", credential: "shop", sql: "select $1::int", params: [1] };
			const workflow = createRow({ query: node });
			const { diagnostics } = await world.executor.expect(200, Validation, "POST", "/workflows/validate", {
				body: { name: "query", description: "", version: "1", ...workflow },
			});
			const errors = diagnostics.filter(({ severity }) => severity === "error");
			if (errors.length === 0) {
				const { error } = await failOnce(world, workflow);
				assert.match(z.string().parse(error), /127\.0\.0\.1 is not a public address.*ALLOW_PRIVATE_HOSTS/);
				return;
			}
			assert.deepEqual(
				errors.map(({ code, path }) => [code, path]),
				[["unavailable", "config.query.component"]],
			);
			await world.executor.refuse(400, "POST", "/webhooks", { body: workflow });
		},
	},
	{
		name: "the text of a statement is never a template",
		cites: [],
		async run(world) {
			const nodes = [
				{ sql: "select '{{input.name}}'", params: ["{{input.name}}"] },
				{ statements: [{ sql: "select {{ input.name | upper }}", params: ["{{input.name}}"] }] },
				{ statements: "{{input.statements}}" },
				{ statements: ["{{input.statement}}"] },
			];
			for (const node of nodes) {
				const workflow = createRow({ query: { component: "sql_query", credential: "shop", ...node } });
				const { diagnostics } = await world.executor.expect(200, Validation, "POST", "/workflows/validate", {
					body: { name: "query", description: "", version: "1", ...workflow },
				});
				const codes = diagnostics.map(({ code }) => code);
				assert.ok(codes.includes("wrong_type"), JSON.stringify([node, diagnostics]));
			}
		},
	},
];

export const databases: readonly Scenario[] = scenarios.map((each) => onOwnService(onSeeded(each)));
