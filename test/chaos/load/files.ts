import { type Load, takeKey } from "./load.ts";

/** Uploads. One that got no answer is sent again as another file. */
export const files: Load = {
	name: "file",
	maxPauseMs: 1_500,
	async round({ client, history, random, until }) {
		const { name: tenant, mark } = client.tenant;
		const expected = `${takeKey("file")} ${mark} ${"x".repeat(random.between(0, 50_000))}`;
		const reply = await client.callUntilOk(until, "upload", "POST", "/files?name=chaos.txt", {
			headers: { "content-type": "text/plain" },
			body: expected,
		});
		if (reply === null) return;
		const { id } = JSON.parse(reply.text) as { id: string };
		history.kept.push({ kind: "file", tenant, name: id, expected });
		await client.call("download", "GET", `/files/${id}/content`);
	},
};
