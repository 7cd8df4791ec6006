import type { Conversations } from "@tripline/components/effects";
import { buildConversationPage, buildConversationUri } from "@tripline/contract/conversations";
import { CONVERSATION, CONVERSATION_TURN } from "@tripline/contract/entry-types";
import type { Turns } from "@tripline/platform/turns";
import type { CallOptions, StoreClient } from "@tripline/store/client";
import { deriveId } from "./derive-id.ts";
import { createStoreCalls } from "./store-calls.ts";

interface ConversingRun {
	readonly executionId: string;
	readonly workflow: string;
}

/** Facts of one conversation do not replace each other: one version of the source states them all. */
const SOURCE_VERSION = "conversation";

/** Access to the conversations of one workflow on behalf of a run. */
export function createConversations(
	store: StoreClient,
	turns: Turns,
	owner_id: string,
	{ executionId, workflow }: ConversingRun,
	run: CallOptions["run"],
): Conversations {
	const ask = createStoreCalls(turns, owner_id, run);
	return {
		async readSummary(key, signal) {
			const page = buildConversationPage({ workflow, key });
			const entry = await ask(signal, (on) => store.entries.get(owner_id, CONVERSATION, page, on));
			if (entry === null) return null;
			const { through = null } = JSON.parse(entry.metadata_json) as { readonly through?: string };
			return { id: entry.id, text: entry.content, through };
		},
		async listTurns(key, { limit, cursor }, signal) {
			const query = {
				...{ owner_id, entry_type: CONVERSATION_TURN, limit },
				page_name: buildConversationPage({ workflow, key }),
				...(cursor !== null && { cursor }),
			};
			const { entries, next_cursor } = await ask(signal, (on) => store.entries.list(query, on));
			const found = entries.map(({ id, content }) => ({ id, messages: JSON.parse(content) }));
			return { turns: found, next_cursor };
		},
		async append(key, stepKey, messages, signal) {
			const turn = {
				...{ owner_id, workflow, key, execution_id: executionId },
				...{ id: await deriveId(stepKey, "turn"), messages_json: JSON.stringify(messages) },
			};
			await ask(signal, (on) => store.conversations.append(turn, on));
		},
		async saveSummary(key, { id, text, through }, signal) {
			const metadata_json = JSON.stringify({ workflow, key, through });
			const entry = { owner_id, content: text, metadata_json };
			return (await ask(signal, (on) => store.entries.replace(id, entry, on))) !== null;
		},
		async addFact(key, fact, signal) {
			const uri = buildConversationUri({ workflow, key });
			const source = { uri, hash: SOURCE_VERSION, block_id: executionId };
			await ask(signal, (on) => store.triplets.ingest({ ...fact, owner_id, source }, on));
		},
	};
}
