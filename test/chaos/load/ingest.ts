import { type Load, takeKey } from "./load.ts";

/** Knowledge, through the store's own API: entries by name and facts by source, so that both may be sent again. */
export const ingest: Load = {
	name: "ingest",
	maxPauseMs: 800,
	async round({ client, history, random, until }) {
		const { name: tenant, mark } = client.tenant;
		const kind = random.pick(["entry", "triplet"] as const);
		const name = takeKey(kind);
		const expected = `${name} ${mark}`;
		const reply =
			kind === "entry"
				? await client.callUntilOk(until, "ingest", "PUT", "/entries", {
						isToStore: true,
						body: { owner_id: tenant, entry_type: "note", page_name: name, content: expected },
					})
				: await client.callUntilOk(until, "ingest", "POST", "/triplets/ingest", {
						isToStore: true,
						body: {
							owner_id: tenant,
							subject: name,
							predicate: "is",
							object: expected,
							source: { uri: `chaos:${name}`, hash: "1" },
						},
					});
		if (reply !== null) history.kept.push({ kind, tenant, name, expected });
	},
};
