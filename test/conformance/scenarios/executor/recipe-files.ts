import assert from "node:assert/strict";
import { isFileValue } from "@tripline/contract/files";
import { PICTURE } from "../../../../packages/components/test/seeds/test-files.ts";
import type { Scenario } from "../../scenario.ts";
import { putCredential } from "./credential.ts";
import { toValue, upload } from "./files.ts";
import { openHost } from "./outside-host.ts";
import { run, save } from "./saving.ts";
import { createRow, failOnce, runOnce } from "./token-webhook.ts";

export const recipeFiles: readonly Scenario[] = [
	{
		name: "a file is uploaded to Slack in three steps",
		cites: [],
		async run(world) {
			const slack = openHost(
				world,
				({ url }) =>
					url.includes("getUploadURLExternal")
						? { json: { ok: true, upload_url: "https://files.slack.com/upload/v1/ABC", file_id: "F1" } }
						: { json: { ok: true, files: [{ id: "F1", title: "chart.png" }] } },
				"slack.com",
			);
			const files = openHost(world, () => ({ body: `OK - ${PICTURE.length}` }), "files.slack.com");
			await putCredential(world, "bot", "slack_bot", { token: "xoxb-test-token" });
			await save(world, {
				name: "share",
				description: "shares a file in a channel",
				triplets: ["address >> then >> send", "send >> then >> share"],
				config: {
					address: { component: "slack.get_upload_url", credential: "bot", file: "{{input.file}}" },
					send: {
						component: "http_request",
						method: "POST",
						url: "{{address.upload_url}}",
						file: "{{input.file}}",
					},
					share: {
						component: "slack.complete_upload",
						credential: "bot",
						file_id: "{{address.file_id}}",
						channel: "C1",
					},
				},
			});
			const file = toValue(await upload(world, PICTURE, { name: "chart.png", type: "image/png" }));
			await run(world, "share", { file });
			assert.equal(
				slack.seen[0]?.url,
				`https://slack.com/api/files.getUploadURLExternal?filename=chart.png&length=${PICTURE.length}`,
			);
			assert.deepEqual(JSON.parse(slack.seen[1]?.body ?? ""), { files: [{ id: "F1" }], channel_id: "C1" });
			const [sent] = files.seen;
			assert.equal(`${sent?.method} ${sent?.url}`, "POST https://files.slack.com/upload/v1/ABC");
			assert.ok(Buffer.from(sent?.bytes ?? []).equals(PICTURE));
			assert.equal(sent?.headers.authorization, undefined);
		},
	},
	{
		name: "a download is redirected to a host that the operation names, which gets no credential",
		cites: [],
		async run(world) {
			let location = "https://acme-my.sharepoint.com/download?tempauth=t";
			openHost(world, () => ({ status: 302, headers: { location } }), "graph.microsoft.com");
			const files = openHost(world, () => ({ body: "a;b" }), "acme-my.sharepoint.com");
			openHost(world, () => ({ body: "no" }), "evil.example");
			await putCredential(world, "microsoft", "microsoft_token", { token: "test-microsoft-token" });
			const node = { component: "onedrive.download_file", credential: "microsoft", item_id: "01" };
			const document = createRow({ get: { ...node, name: "prices.csv" } });
			const { data } = await runOnce(world, document);
			assert.ok(isFileValue(data));
			assert.deepEqual([data.name, data.size], ["prices.csv", 3]);
			assert.equal(files.seen[0]?.headers.authorization, undefined);
			location = "https://evil.example/";
			const { error } = await failOnce(world, document);
			assert.match(error ?? "", /^get: this call may reach only graph\.microsoft\.com, \*\.sharepoint\.com/);
		},
	},
];
