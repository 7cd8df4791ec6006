import assert from "node:assert/strict";
import { MailboxStatus, Validation } from "@tripline/contract/executor";
import * as z from "zod";
import type { Scenario } from "../../scenario.ts";
import { putCredential } from "./credential.ts";
import { onSeeded } from "./seeded.ts";

const FIELDS = { host: "127.0.0.1:1", user: "ada", password: "hush-hush-hush", tls: "off" };

const DOCUMENT = {
	name: "tickets",
	description: "",
	version: "1",
	triplets: ["input >> then >> note"],
	config: { note: { component: "set", values: { subject: "{{input.subject}}" } } },
};

const scenarios: readonly Scenario[] = [
	{
		name: "a trigger with email is refused at saving where mails start nothing, and elsewhere guards addresses",
		cites: [],
		async run(world) {
			await putCredential(world, "box", "imap", FIELDS);
			const body = { ...DOCUMENT, trigger: { type: "event", email: { credential: "box" } } };
			const { diagnostics } = await world.executor.expect(200, Validation, "POST", "/workflows/validate", {
				body,
			});
			const errors = diagnostics.filter(({ severity }) => severity === "error");
			if (errors.length > 0) {
				assert.deepEqual(
					errors.map(({ code, path }) => [code, path]),
					[["unavailable", "trigger.email"]],
				);
				await world.executor.refuse(400, "POST", "/workflows", { body });
				return;
			}
			await world.executor.refuse(404, "GET", "/workflows/nothing/mailbox");
			await world.executor.expect(201, z.object({}), "POST", "/workflows", { body });
			const read = () => world.executor.expect(200, MailboxStatus, "GET", "/workflows/tickets/mailbox");
			let state = await read();
			for (let looks = 0; state.error === null && looks < 100; looks++) {
				await new Promise((resolve) => setTimeout(resolve, 50));
				state = await read();
			}
			assert.match(state.error ?? "", /127\.0\.0\.1 is not a public address.*ALLOW_PRIVATE_HOSTS/);
			assert.deepEqual([state.since, state.failures], [null, 1]);
			assert.deepEqual([state.read_by, state.connected_at], ["this_process", null]);
			assert.ok(state.retry_at !== null);
		},
	},
];

export const mailboxes: readonly Scenario[] = scenarios.map(onSeeded);
