import { toMailServer } from "@tripline/components/email-send/server";
import { cleanError } from "@tripline/components/outbound/clean-error";
import { UsedCredentials } from "@tripline/components/outbound/used-credentials";
import { Failed } from "@tripline/contract/failures";
import { sha256Hex } from "@tripline/contract/ids";
import { MAX_MAIL_BYTES } from "@tripline/contract/workflows";
import { TerminalError } from "@tripline/engine/terminal-error";
import { type Clock, toIsoTime } from "@tripline/platform/clock";
import { type Log, toErrorFields } from "@tripline/platform/log";
import { type Mailboxes, MailboxProblem, type OpenMailbox } from "@tripline/platform/mailboxes";
import type { MailboxState } from "../domain/mailbox-state.ts";
import { computeRetryAt } from "../domain/poll-state.ts";
import { type Executions, newExecutionId } from "../runs/execute.ts";
import type { Outbound } from "../runs/outbound.ts";
import type { MailboxStates } from "../storage/mailbox-states.ts";
import { type MailboxLeases, mailboxLease } from "./lease.ts";
import { matchesMail } from "./mail-input.ts";
import { type MailRunDeps, mailRuns } from "./mail-runs.ts";
import type { MailboxPlace, MailboxReader, WatchedMailbox, WatchedWorkflow } from "./watched.ts";

export interface WatchDeps extends MailRunDeps {
	readonly mailboxes: Mailboxes;
	readonly states: MailboxStates;
	readonly loadCredential: Outbound["loadCredential"];
	readonly leases: MailboxLeases;
	readonly fail: Executions["fail"];
	readonly clock: Clock;
	readonly log: Log;
}

const AUTH_RECIPES = ["imap"];
/** Mails that are asked for together. */
const MAX_LISTED = 100;
/** A connection that lasts shorter counts as a failure. */
const STABLE_MS = 60_000;
/** After the loss of a connection that lasted: no failure yet. */
const RECONNECT_MS = [1_000, 10_000] as const;
/** After looks that found nothing: a server may announce mails all the time. */
const LOOK_PAUSE_MS = 1_000;
/** While too many runs wait to start. */
const FULL_PAUSE_MS = 10_000;

/** Reads one mailbox for all workflows that wait for its mails, until it is stopped. */
export function watchMailbox(
	deps: WatchDeps,
	place: MailboxPlace,
	first: readonly WatchedWorkflow[],
): WatchedMailbox {
	const { clock, log, states } = deps;
	const { namespace, mailbox } = place;
	const ending = new AbortController();
	const runs = mailRuns(deps, place);
	/** By the ids of entries. */
	const known = new Map<string, MailboxState>();
	let workflows = first;
	/** Ends a pause, or the wait for mails. */
	let wake = () => {};
	/** Of the credential that was used last: with another one it is tried again at once. */
	let usedKey = "";
	let isPausing = false;
	let reader: MailboxReader = { read_by: null, connected_at: null };
	const done = watch();

	return {
		describe: () => reader,
		update(next) {
			const isChanged = describeAll(next) !== describeAll(workflows);
			workflows = next;
			if (isChanged) wake();
			else if (isPausing) void wakeIfCredentialChanged();
		},
		async stop() {
			ending.abort(new Error("the mailbox is no longer read"));
			wake();
			await done;
		},
	};

	async function watch(): Promise<void> {
		let [failures, losses] = [await countFailures(), 0];
		while (!ending.signal.aborted) {
			const lease = mailboxLease(deps.leases, place);
			let openedAt: number | null = null;
			try {
				const isTaken = await lease.take();
				reader = { read_by: isTaken ? "this_process" : "another_process", connected_at: null };
				if (!isTaken) {
					await pause(deps.leases.retryMs);
					continue;
				}
				await readMailbox(lease.signal, () => {
					openedAt = clock.now();
					reader = { ...reader, connected_at: toIsoTime(openedAt) };
				});
			} catch (error) {
				reader = { ...reader, connected_at: null };
				if (ending.signal.aborted || lease.signal.aborted) continue;
				const isStable = openedAt !== null && clock.now() - openedAt >= STABLE_MS;
				if (isStable) [failures, losses] = [0, 0];
				const isLoss = isStable || (losses > 0 && openedAt === null);
				const shortMs = isLoss ? RECONNECT_MS[losses] : undefined;
				if (shortMs !== undefined) {
					losses++;
					await saveLoss();
					await pause(shortMs);
					continue;
				}
				losses = 0;
				failures++;
				const retryAt = computeRetryAt(clock.now(), failures);
				await saveFailure(explain(error), failures, retryAt);
				await pause(retryAt - clock.now());
			} finally {
				await lease.release();
			}
		}
	}

	async function readMailbox(leased: AbortSignal, onOpen: () => void): Promise<void> {
		const until = AbortSignal.any([ending.signal, leased]);
		const opened = workflows;
		const used = new UsedCredentials((name) => deps.loadCredential(namespace, name), AUTH_RECIPES);
		let open: OpenMailbox | null = null;
		// Another process may have read since.
		known.clear();
		try {
			open = await openMailbox(used, opened, until);
			onOpen();
			let [readUid, emptyLooks] = [open.lastUid, 0];
			// Other workflows may need another right, or another mailbox to move mails to.
			while (!until.aborted && describeNeeds(workflows) === describeNeeds(opened)) {
				const reading = await prepareStates(open, readUid);
				const from = Math.min(...reading.map(({ state }) => state.last_uid));
				const uids = await open.listAfter(from, MAX_LISTED);
				for (const uid of uids) {
					if (until.aborted || !(await readMail(open, uid, reading))) break;
					readUid = Math.max(readUid, uid);
				}
				emptyLooks = uids.length > 0 ? 0 : emptyLooks + 1;
				if (uids.length > 0) continue;
				if (emptyLooks > 1) await pause(LOOK_PAUSE_MS);
				const waiting = new AbortController();
				wake = () => waiting.abort();
				await open.waitForMail(AbortSignal.any([until, waiting.signal]));
			}
		} catch (error) {
			throw error instanceof MailboxProblem ? cleanError(error, used.redactor(), MailboxProblem) : error;
		} finally {
			open?.close();
		}
	}

	async function openMailbox(
		used: UsedCredentials,
		opened: readonly WatchedWorkflow[],
		until: AbortSignal,
	): Promise<OpenMailbox> {
		const credential = await used.load(place.credential);
		usedKey = credential.key;
		const wanted = { owner: namespace, name: mailbox, ...listNeeds(opened) };
		return deps.mailboxes.open(toMailServer(credential, "imap"), wanted, until);
	}

	/** For each workflow how far it has read: from now on if it is new, or if the numbers of mails have changed. */
	async function prepareStates(open: OpenMailbox, readUid: number): Promise<ReadingWorkflow[]> {
		const reading: ReadingWorkflow[] = [];
		const { connected_at } = reader;
		const fine = { connected_at, failures: 0, error: null, retry_at: null };
		for (const workflow of workflows) {
			const fingerprint = await buildFingerprint(workflow);
			const before = known.get(workflow.entryId) ?? (await states.find(namespace, workflow.entryId));
			let state = before?.fingerprint === fingerprint ? before : null;
			const now = toIsoTime(clock.now());
			if (state === null || state.uid_validity === null) {
				const start = { uid_validity: open.uidValidity, last_uid: readUid, last_mail_at: null };
				state = { fingerprint, since: now, ...start, ...fine };
				await save(workflow, state);
			} else if (state.uid_validity !== open.uidValidity) {
				const { last_mail_at, since } = state;
				record(
					workflow,
					`the server has numbered the mails of ${JSON.stringify(mailbox)} anew: those that arrived between ${last_mail_at ?? since} and ${now} may have started no run`,
				);
				state = { ...state, uid_validity: open.uidValidity, last_uid: open.lastUid, ...fine };
				await save(workflow, state);
			} else if (state.failures > 0 || state.connected_at !== connected_at) {
				state = { ...state, ...fine };
				await save(workflow, state);
			}
			known.set(workflow.entryId, state);
			reading.push({ workflow, state });
		}
		return reading;
	}

	/** Starts the runs of a mail. False if that is to be tried again. */
	async function readMail(
		open: OpenMailbox,
		uid: number,
		reading: readonly ReadingWorkflow[],
	): Promise<boolean> {
		const due = reading.filter(({ workflow }) => (known.get(workflow.entryId)?.last_uid ?? 0) < uid);
		const maxBytes = Math.max(...due.map(({ workflow }) => workflow.settings.max_size ?? MAX_MAIL_BYTES));
		const matching: WatchedWorkflow[] = [];
		try {
			await open.read(uid, { maxBytes }, async (mail) => {
				for (const { workflow, state } of due) {
					if (!matchesMail(mail, workflow.settings)) continue;
					const problem = await runs.start(workflow, state, mail);
					if (problem !== null) record(workflow, problem);
					matching.push(workflow);
				}
			});
		} catch (error) {
			if (!(error instanceof Failed && error.failure.kind === "too_many")) throw error;
			await pause(FULL_PAUSE_MS);
			return false;
		}
		// Before it counts as read: if the process ends here, the mail is marked or moved the next time.
		if (matching.some(({ settings }) => settings.mark_seen === true)) await open.markSeen(uid);
		const target = matching.find(({ settings }) => settings.move_to !== undefined)?.settings.move_to;
		if (target !== undefined) await open.move(uid, target);
		for (const { workflow } of due) {
			const state = known.get(workflow.entryId);
			if (state === undefined) continue;
			const isOne = matching.includes(workflow);
			const next = {
				...state,
				last_uid: uid,
				...(isOne && { last_mail_at: toIsoTime(clock.now()) }),
			};
			await save(workflow, next);
			known.set(workflow.entryId, next);
		}
		return true;
	}

	function save({ entryId }: WatchedWorkflow, state: MailboxState): Promise<void> {
		return states.save(namespace, entryId, state);
	}

	/** Leaves an execution record, which raises `execution.failed`. */
	function record({ name, versionNumber }: WatchedWorkflow, problem: string): void {
		const request = { workflow: name, namespace, versionNumber, trigger: "event", eventDepth: 0 } as const;
		deps.fail({ ...request, input: { mailbox }, executionId: newExecutionId(clock) }, `mailbox: ${problem}`);
	}

	async function saveFailure(error: string, failures: number, retryAt: number): Promise<void> {
		for (const workflow of workflows) {
			record(workflow, error);
			try {
				const fingerprint = await buildFingerprint(workflow);
				const found = known.get(workflow.entryId) ?? (await states.find(namespace, workflow.entryId));
				const before = found?.fingerprint === fingerprint ? found : { ...NEVER_OPENED, fingerprint };
				const retry_at = toIsoTime(retryAt);
				const state = { ...before, connected_at: null, failures, error, retry_at };
				known.set(workflow.entryId, state);
				await save(workflow, state);
			} catch (problem) {
				logUnsaved(problem);
			}
		}
	}

	/** The connection is opened again soon, which saves it anew. */
	async function saveLoss(): Promise<void> {
		try {
			for (const [entryId, state] of known)
				await states.save(namespace, entryId, { ...state, connected_at: null });
		} catch (problem) {
			logUnsaved(problem);
		}
	}

	function logUnsaved(problem: unknown): void {
		log("error", "the state of a mailbox was not saved", toErrorFields(problem));
	}

	/** Other errors are the service's own, and not for the owner of a workflow. */
	function explain(error: unknown): string {
		if (error instanceof TerminalError || error instanceof Failed) return error.message;
		log("error", "a mailbox cannot be read", { namespace, ...toErrorFields(error) });
		return "the service could not read it: see its log";
	}

	async function countFailures(): Promise<number> {
		try {
			const found = await Promise.all(workflows.map(({ entryId }) => states.find(namespace, entryId)));
			return Math.max(0, ...found.map((state) => state?.failures ?? 0));
		} catch {
			return 0;
		}
	}

	async function buildFingerprint({ entryId }: WatchedWorkflow): Promise<string> {
		return sha256Hex(JSON.stringify([entryId, place.credential, mailbox]));
	}

	async function wakeIfCredentialChanged(): Promise<void> {
		const credential = await deps.loadCredential(namespace, place.credential).catch(() => null);
		if (credential !== null && credential.key !== usedKey) wake();
	}

	async function pause(ms: number): Promise<void> {
		if (ending.signal.aborted) return;
		const { promise, resolve } = Promise.withResolvers<void>();
		wake = resolve;
		const timer = setTimeout(resolve, ms);
		try {
			isPausing = true;
			await promise;
		} finally {
			isPausing = false;
			clearTimeout(timer);
		}
	}
}

interface ReadingWorkflow {
	readonly workflow: WatchedWorkflow;
	readonly state: MailboxState;
}

const NEVER_OPENED = { since: null, uid_validity: null, last_uid: 0, last_mail_at: null } as const;

const listNeeds = (workflows: readonly WatchedWorkflow[]) => ({
	targets: [
		...new Set(workflows.flatMap(({ settings: { move_to } }) => (move_to === undefined ? [] : [move_to]))),
	],
	isWritten: workflows.some(({ settings }) => settings.mark_seen === true || settings.move_to !== undefined),
});

const describeNeeds = (workflows: readonly WatchedWorkflow[]): string => JSON.stringify(listNeeds(workflows));

const describeAll = (workflows: readonly WatchedWorkflow[]): string =>
	JSON.stringify(workflows.map(({ entryId, name, versionNumber }) => [entryId, name, versionNumber]));
