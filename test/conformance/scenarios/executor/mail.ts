import assert from "node:assert/strict";
import { ConnectionTest } from "@tripline/contract/credentials";
import { Validation } from "@tripline/contract/executor";
import * as z from "zod";
import type { Scenario } from "../../scenario.ts";
import { putCredential } from "./credential.ts";
import { onOwnService } from "./own-service.ts";
import { onSeeded } from "./seeded.ts";
import { createRow, failOnce } from "./token-webhook.ts";

const FIELDS = { host: "127.0.0.1:1", user: "ada", password: "hush-hush-hush", tls: "off" };
const ONLY_ON_NODE = /a service on Cloudflare cannot connect/;
const GUARDED = /127\.0\.0\.1 is not a public address.*ALLOW_PRIVATE_HOSTS/;

const scenarios: readonly Scenario[] = [
	{
		name: "email_send is refused at saving where the platform reaches no mail server, and elsewhere guards addresses",
		cites: [],
		async run(world) {
			await putCredential(world, "mail", "smtp", FIELDS);
			const node = {
				...{ component: "email_send", credential: "mail" },
				...{ from: "shop@example.com", to: "ada@example.org", subject: "Hi", text: "Hello" },
			};
			const workflow = createRow({ send: node });
			const { diagnostics } = await world.executor.expect(200, Validation, "POST", "/workflows/validate", {
				body: { name: "send", description: "", version: "1", ...workflow },
			});
			const errors = diagnostics.filter(({ severity }) => severity === "error");
			if (errors.length === 0) {
				const { error } = await failOnce(world, workflow);
				assert.match(z.string().parse(error), GUARDED);
				return;
			}
			assert.deepEqual(
				errors.map(({ code, path }) => [code, path]),
				[["unavailable", "config.send.component"]],
			);
			await world.executor.refuse(400, "POST", "/webhooks", { body: workflow });
		},
	},
	{
		name: "a connection test says what happened, names no secret, and is for credentials that log in",
		cites: [],
		async run(world) {
			await putCredential(world, "mail", "smtp", FIELDS);
			await putCredential(world, "shop", "postgresql", { ...FIELDS, database: "shop" });
			await putCredential(world, "token", "bearer_token", { host: "api.example.com", token: "hush-hush" });
			for (const name of ["mail", "shop"]) {
				const tested = await world.executor.expect(200, ConnectionTest, "POST", `/credentials/${name}/test`);
				assert.equal(tested.ok, false);
				assert.ok(GUARDED.test(tested.message) || ONLY_ON_NODE.test(tested.message), tested.message);
			}
			await world.executor.refuse(400, "POST", "/credentials/token/test");
			await world.executor.refuse(404, "POST", "/credentials/nothing/test");
		},
	},
];

export const mail: readonly Scenario[] = scenarios.map((each) => onOwnService(onSeeded(each)));
