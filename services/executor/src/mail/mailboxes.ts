import { Failed } from "@tripline/contract/failures";
import type { Background } from "@tripline/platform/background";
import { type Log, toErrorFields } from "@tripline/platform/log";
import { noSignals, type Signals } from "@tripline/platform/signals";
import { DEFAULT_MAILBOX } from "../domain/mailbox-state.ts";
import { readStoredSource } from "../domain/saved-workflow.ts";
import type { Runnables } from "../runs/runnable.ts";
import type { WorkflowStorage } from "../storage/workflows.ts";
import type { WatchDeps } from "./watch.ts";
import type { MailboxPlace, MailboxReader, WatchedMailbox, WatchedWorkflow } from "./watched.ts";

/** Each is a connection. Further ones are not read, which the log says. */
const MAX_PER_NAMESPACE = 50;
const MAX_MAILBOXES = 500;
const CHANGED = "mailboxes";

export type MailTriggers = ReturnType<typeof mailTriggers>;

/** Keeps the mailboxes open whose mails start workflows. What reads them is loaded by the first one. */
export function mailTriggers(
	deps: WatchDeps & {
		readonly workflows: Pick<WorkflowStorage, "listMailed">;
		readonly runnables: Runnables;
		readonly background: Background;
		readonly log: Log;
		readonly signals?: Signals | undefined;
	},
) {
	const { log, signals = noSignals } = deps;
	const watched = new Map<string, WatchedMailbox>();
	/** By the ids of workflows' entries. */
	let byEntry: ReadonlyMap<string, WatchedMailbox> = new Map();
	/** Where workflows have such triggers, also if they are switched off. */
	let namespaces: ReadonlySet<string> = new Set();
	let refreshing: Promise<void> | null = null;
	let isAskedAgain = false;
	let isClosed = false;
	signals.on(CHANGED, () => refreshLater());

	return {
		/** Who reads the mailbox of a workflow, by the id of its entry. Null if nobody does. */
		describe(entryId: string): MailboxReader | null {
			return byEntry.get(entryId)?.describe() ?? null;
		},

		/** To be called every minute: workflows may have been changed by other processes, and credentials too. */
		refresh,

		/** Workflows of the namespace were changed. */
		onChanged(namespace: string, hasEmail = false): void {
			if (!hasEmail && !namespaces.has(namespace)) return;
			refreshLater();
			signals.send(CHANGED, namespace);
		},

		async close(): Promise<void> {
			isClosed = true;
			await refreshing?.catch(() => {});
			await Promise.all([...watched.values()].map((each) => each.stop()));
		},
	};

	function refreshLater(): void {
		deps.background.run("mailboxes", refresh);
	}

	/** Never concurrently: what changes meanwhile is read afterwards. */
	async function refresh(): Promise<void> {
		if (refreshing !== null) {
			isAskedAgain = true;
			return refreshing;
		}
		refreshing = (async () => {
			try {
				do {
					isAskedAgain = false;
					await readTriggers();
				} while (isAskedAgain && !isClosed);
			} finally {
				refreshing = null;
			}
		})();
		return refreshing;
	}

	async function readTriggers(): Promise<void> {
		const { places, found } = await listPlaces();
		namespaces = found;
		if (isClosed) return;
		const gone = [...watched].filter(([key]) => !places.has(key));
		for (const [key, mailbox] of gone) {
			watched.delete(key);
			deps.background.run("mailbox", () => mailbox.stop());
		}
		if (places.size === 0) {
			byEntry = new Map();
			return;
		}
		const { watchMailbox } = await import("./watch.ts");
		for (const [key, { place, workflows }] of places) {
			const known = watched.get(key);
			if (known !== undefined) known.update(workflows);
			else if (watched.size < MAX_MAILBOXES && !isClosed)
				watched.set(key, watchMailbox(deps, place, workflows));
			else log("warn", "too many mailboxes: one is not read", { namespace: place.namespace });
		}
		byEntry = new Map(
			[...places].flatMap(([key, { workflows }]) => {
				const mailbox = watched.get(key);
				return mailbox === undefined ? [] : workflows.map(({ entryId }) => [entryId, mailbox] as const);
			}),
		);
	}

	/** The mailboxes to read, and who waits for their mails. */
	async function listPlaces() {
		const places = new Map<string, { readonly place: MailboxPlace; readonly workflows: WatchedWorkflow[] }>();
		const found = new Set<string>();
		const counts = new Map<string, number>();
		for (const entry of await deps.workflows.listMailed()) {
			const { owner_id: namespace, disabled, metadata_json, id, page_name: name, version } = entry;
			found.add(namespace);
			if (disabled === true) continue;
			const runnable = await findRunnable(metadata_json, namespace);
			const settings = runnable?.email ?? null;
			if (runnable === null || settings === null) continue;
			const place = {
				namespace,
				credential: settings.credential,
				mailbox: settings.mailbox ?? DEFAULT_MAILBOX,
			};
			const key = JSON.stringify(Object.values(place));
			const count = counts.get(namespace) ?? 0;
			if (!places.has(key)) {
				if (count >= MAX_PER_NAMESPACE) {
					log("warn", "too many mailboxes of a namespace: one is not read", { namespace, workflow: name });
					continue;
				}
				counts.set(namespace, count + 1);
				places.set(key, { place, workflows: [] });
			}
			places.get(key)?.workflows.push({ entryId: id, name, versionNumber: version, runnable, settings });
		}
		return { places, found };
	}

	/** Null if it can no longer be read: that must not keep the others from running. */
	async function findRunnable(text: string, namespace: string) {
		try {
			return await deps.runnables.get(text, readStoredSource, namespace);
		} catch (error) {
			if (!(error instanceof Failed)) throw error;
			log("error", "a workflow that waits for mails cannot run", toErrorFields(error));
			return null;
		}
	}
}
