import type { Catalogue, Component } from "@tripline/engine/component";
import { agent } from "./agent.ts";
import { aggregate } from "./aggregate.ts";
import { ask } from "./ask.ts";
import { code } from "./code.ts";
import { compute } from "./compute.ts";
import { cryptography } from "./crypto.ts";
import { datetime } from "./datetime.ts";
import type { Effects } from "./effects.ts";
import { emailSend } from "./email-send.ts";
import { embed } from "./embed.ts";
import { emitEvent } from "./emit-event.ts";
import { fail } from "./fail.ts";
import { fileDelete } from "./file-delete.ts";
import { fileKeep } from "./file-keep.ts";
import { fileLink } from "./file-link.ts";
import { fileList } from "./file-list.ts";
import { filter } from "./filter.ts";
import { folder } from "./folder.ts";
import { foreach } from "./foreach.ts";
import { googleSheetsRows } from "./google-sheets-rows.ts";
import { httpRequest } from "./http-request.ts";
import { condition } from "./if.ts";
import { kbDelete } from "./kb-delete.ts";
import { kbGet } from "./kb-get.ts";
import { kbIngestTriplet } from "./kb-ingest-triplet.ts";
import { kbList } from "./kb-list.ts";
import { kbNeighbors } from "./kb-neighbors.ts";
import { kbSearch } from "./kb-search.ts";
import { kbUpsert } from "./kb-upsert.ts";
import { kbWhy } from "./kb-why.ts";
import { llmChat } from "./llm-chat.ts";
import { makeFile } from "./make-file.ts";
import { map } from "./map.ts";
import { merge } from "./merge.ts";
import { parse } from "./parse.ts";
import { recordList } from "./record-list.ts";
import { recordSave } from "./record-save.ts";
import { repeat } from "./repeat.ts";
import { respond } from "./respond.ts";
import { set } from "./set.ts";
import { sort } from "./sort.ts";
import { sqlQuery } from "./sql-query.ts";
import { stateGet } from "./state-get.ts";
import { stateIncrement } from "./state-increment.ts";
import { stateSet } from "./state-set.ts";
import { choice } from "./switch.ts";
import { template } from "./template.ts";
import { wait } from "./wait.ts";
import { waitFor } from "./wait-for.ts";
import { workflow } from "./workflow.ts";

/** In the order of the reference page. */
export const builtIn: readonly Component<Effects>[] = [
	httpRequest,
	code,
	set,
	template,
	compute,
	condition,
	choice,
	foreach,
	repeat,
	filter,
	map,
	sort,
	aggregate,
	merge,
	parse,
	makeFile,
	datetime,
	cryptography,
	wait,
	fail,
	respond,
	workflow,
	ask,
	waitFor,
	emitEvent,
	llmChat,
	agent,
	embed,
	googleSheetsRows,
	sqlQuery,
	emailSend,
	kbSearch,
	kbGet,
	kbList,
	kbUpsert,
	kbDelete,
	kbIngestTriplet,
	kbNeighbors,
	kbWhy,
	recordSave,
	recordList,
	stateGet,
	stateSet,
	stateIncrement,
	fileKeep,
	fileList,
	fileDelete,
	fileLink,
	folder,
];

const byId = new Map(builtIn.map((component) => [component.id, component]));

export const builtInCatalogue: Catalogue<Effects> = {
	get: (id) => byId.get(id),
	ids: () => [...byId.keys()],
};
