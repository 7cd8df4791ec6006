import { ACCEPTED_RUN } from "@tripline/contract/accepted-runs";
import type { StoreEvent } from "@tripline/contract/events";
import type { Failure } from "@tripline/contract/failures";
import { randomToken } from "@tripline/contract/ids";
import { SYSTEM_OWNER } from "@tripline/contract/names";
import type { Background } from "@tripline/platform/background";
import type { Blobs } from "@tripline/platform/blobs";
import type { CreateCipher } from "@tripline/platform/cipher";
import { type Clock, unixSeconds } from "@tripline/platform/clock";
import type { Databases } from "@tripline/platform/databases";
import type { DescriptionReader } from "@tripline/platform/descriptions";
import type { Folders } from "@tripline/platform/folders";
import type { OutboundHttp } from "@tripline/platform/http";
import type { Journal } from "@tripline/platform/journal";
import type { KeptRuns } from "@tripline/platform/kept";
import type { Kv } from "@tripline/platform/kv";
import type { Log } from "@tripline/platform/log";
import type { Mail } from "@tripline/platform/mail";
import type { Mailboxes } from "@tripline/platform/mailboxes";
import type { Metrics } from "@tripline/platform/metrics";
import type { PdfReader } from "@tripline/platform/pdf";
import type { Peers } from "@tripline/platform/peers";
import type { Sandbox } from "@tripline/platform/sandbox";
import type { Signals } from "@tripline/platform/signals";
import type { Tracing } from "@tripline/platform/tracing";
import { platformTurns, type Turns } from "@tripline/platform/turns";
import { PlatformUnavailable } from "@tripline/platform/unavailable";
import { type RegistryClient, RegistryRefused, RegistryUnavailable } from "@tripline/registry/client";
import { type StoreClient, StoreRefused, StoreUnavailable } from "@tripline/store/client";
import { type App, createApp, readWorkersAddress, toFetch } from "@tripline/web/app";
import { type Incoming, parseTarget, toIncoming, toResponse } from "@tripline/web/http-message";
import { requestCounter } from "@tripline/web/request-metrics";
import { createCatalogues } from "./catalogue/catalogues.ts";
import { descriptionImports } from "./catalogue/import-description.ts";
import { installs } from "./catalogue/install.ts";
import { seedChangedRecipes, seedRecipes } from "./catalogue/seed.ts";
import { chatBudgets } from "./chat/budget.ts";
import { chatLinks } from "./chat/links.ts";
import { chatReplies } from "./chat/replies.ts";
import { talks } from "./chat/talk.ts";
import { chatTurns } from "./chat/turns.ts";
import type { Address } from "./domain/address.ts";
import type { Caller } from "./domain/callers.ts";
import { durableRuns } from "./durable/runs.ts";
import { fileLinks } from "./files/links.ts";
import { storedFiles } from "./files/stored-files.ts";
import { askRoutes } from "./http/ask.ts";
import { chatRoutes } from "./http/chat.ts";
import { completionRoutes } from "./http/completions.ts";
import { componentRoutes } from "./http/components.ts";
import { conversationRoutes } from "./http/conversations.ts";
import { allowsOrigin } from "./http/cors.ts";
import { credentialRoutes } from "./http/credentials.ts";
import { deletedWorkflowRoutes } from "./http/deleted-workflows.ts";
import type { ExecutorParts } from "./http/deps.ts";
import { draftRoutes } from "./http/drafts.ts";
import { eventRoutes } from "./http/events.ts";
import { executionRoutes } from "./http/executions.ts";
import { fileRoutes } from "./http/files.ts";
import { type FormCall, formCalls } from "./http/form-calls.ts";
import { formRoutes } from "./http/forms.ts";
import { keptDataRoutes } from "./http/kept-data.ts";
import { mcpServerRoutes } from "./http/mcp-servers.ts";
import { mcpSignInRoutes } from "./http/mcp-sign-in.ts";
import { namedRoutes } from "./http/named.ts";
import { queryRoutes } from "./http/query.ts";
import { questionRoutes } from "./http/questions.ts";
import { rateLimit } from "./http/rate-limit.ts";
import { recipeRoutes } from "./http/recipes.ts";
import { seedRoutes } from "./http/seed.ts";
import { signInRoutes } from "./http/sign-in.ts";
import { type Deployment, statusRoutes } from "./http/status.ts";
import { tenants } from "./http/tenants.ts";
import { testRoutes } from "./http/test-runs.ts";
import { triggerRun } from "./http/trigger.ts";
import { getBaseUrl, isPagesOrigin, parseNamedTrigger } from "./http/urls.ts";
import { versionRoutes } from "./http/versions.ts";
import { watchRun } from "./http/watch.ts";
import { webhookRoutes } from "./http/webhooks.ts";
import { workflowRoutes } from "./http/workflows.ts";
import { keepDefaults } from "./kept/defaults.ts";
import { keptData } from "./kept/kept-data.ts";
import { memoryRuns } from "./kept/memory.ts";
import { mailTriggers } from "./mail/mailboxes.ts";
import { mcpServers } from "./mcp-servers/servers.ts";
import { mcpSessions } from "./mcp-servers/sessions.ts";
import { findChallenge } from "./mcp-sign-in/find-challenge.ts";
import { mcpSignIns } from "./mcp-sign-in/sign-ins.ts";
import { type AcceptedRuns, acceptedRuns } from "./runs/accepted.ts";
import { admission } from "./runs/admission.ts";
import { admittedRuns } from "./runs/admitted.ts";
import type { DueRun } from "./runs/due-run.ts";
import { type Events, events } from "./runs/events.ts";
import { executions } from "./runs/execute.ts";
import { heldRuns } from "./runs/held-runs.ts";
import { idempotency } from "./runs/idempotent.ts";
import { runLeases } from "./runs/leases.ts";
import { outbound } from "./runs/outbound.ts";
import { polls } from "./runs/polls.ts";
import { recordBuffer } from "./runs/record-buffer.ts";
import { replays } from "./runs/replay.ts";
import { readQueues, runCounter } from "./runs/run-metrics.ts";
import type { FoundRun } from "./runs/run-to-end.ts";
import { runnables } from "./runs/runnable.ts";
import { type FanOut, type StartedDue, schedule } from "./runs/schedule.ts";
import { waitedRuns } from "./runs/waited.ts";
import { webhookFinder } from "./runs/webhooks.ts";
import type { ExecutorSettings } from "./settings.ts";
import { findSignInUrl, requireSignInUrl } from "./sign-in/base-url.ts";
import { signInFlows } from "./sign-in/flows.ts";
import { signInLinks } from "./sign-in/links.ts";
import { signInSessions } from "./sign-in/sessions.ts";
import { legacyWorkflowStorage } from "./storage/legacy-workflows.ts";
import { mailboxStateStorage } from "./storage/mailbox-states.ts";
import { ownedComponentStorage } from "./storage/owned-components.ts";
import { pollStateStorage } from "./storage/poll-states.ts";
import { seenEventStorage } from "./storage/seen-events.ts";
import { webhookStorage } from "./storage/webhooks.ts";
import { workflowStorage } from "./storage/workflows.ts";
import type { Vault } from "./vault/vault.ts";
import { eventWaits } from "./waits/event-waits.ts";
import { questions } from "./waits/questions.ts";
import { createWaits } from "./waits/waits.ts";
import { drafts } from "./workflows/drafts.ts";
import { type FoundWorkflow, workflowFinder } from "./workflows/find.ts";
import { legacyWorkflows } from "./workflows/legacy.ts";
import { savedWorkflows } from "./workflows/saved.ts";
import { storedWorkflows } from "./workflows/stored.ts";
import { versions } from "./workflows/versions.ts";

/** Timeout for one batch of records; after it the batch is sent again. */
const SEND_TIMEOUT_MS = 10_000;
/** Per address, in multi-tenant mode. A caller who needs more can identify itself. */
const ANONYMOUS_WEBHOOKS_PER_MINUTE = 30;
/** Per address. */
const FORM_POSTS_PER_MINUTE = 30;
/** To public chats, per address. */
const CHAT_MESSAGES_PER_MINUTE = 10;
/** Links per namespace, pages per address. */
const CONNECTION_TESTS_PER_MINUTE = 30;
const SIGN_INS_PER_MINUTE = 60;

export interface ExecutorDeps {
	readonly store: StoreClient;
	/** Token webhooks and legacy workflows. */
	readonly kv: Kv;
	/** The bytes of files. Null: files cannot be used. */
	readonly blobs: Blobs | null;
	/** The steps of runs, and how they are sealed. Null: a run that is interrupted starts again. */
	readonly steps: { readonly journal: Journal; readonly createCipher: CreateCipher } | null;
	/** The data of runs, in the executor's database. Null or omitted: it is kept in memory only. */
	readonly keptRuns?: KeptRuns | null;
	/** Folders that workflows may use. Omitted: none. Never in multi-tenant mode, where tenants would share them. */
	readonly folders?: Folders | null;
	/** For workflows. Omitted: the platform reaches none. */
	readonly databases?: Databases;
	/** Absent: the platform reaches no mail server. */
	readonly mail?: Mail;
	/** Absent: mails start no workflows. */
	readonly mailboxes?: Mailboxes;
	readonly vault: Vault;
	/** For outbound calls. */
	readonly http: OutboundHttp;
	readonly sandbox: Sandbox;
	readonly pdf: PdfReader;
	readonly descriptions: DescriptionReader;
	readonly registry: RegistryClient;
	readonly clock: Clock;
	readonly log: Log;
	readonly version: string;
	readonly background: Background;
	readonly settings: ExecutorSettings;
	/** The address that the service listens on, for links in runs that no request started. Omitted: unknown. */
	getOwnUrl?(): string;
	/** Whether the service can handle requests now. */
	ready(): Promise<boolean>;
	/**
	 * True on Workers: no timer outlives a response, so each run's record is sent by its own request; and a request must
	 * not await another request's promise, so there is no shared queue.
	 */
	readonly isolatesRequests?: boolean;
	/** Starts due runs in other invocations. Omitted: they start in this one. */
	readonly fanOut?: FanOut;
	/** Omitted: the platform schedules CPU time between requests. */
	readonly turns?: Turns;
	/** Names this process, if several serve the deployment. Omitted: no other does, or it is a Worker. */
	readonly holder?: string | undefined;
	/** Reaches the other processes. Omitted: there are none, or it is a Worker. */
	readonly signals?: Signals | undefined;
	readonly peers?: Peers | undefined;
	/** Omitted: nothing is counted, as on Workers. */
	readonly metrics?: Metrics | undefined;
	/** Unix seconds. Occurrences before it were missed. Omitted where the service has no start time, as on Workers. */
	readonly startedAt?: number;
	/** Null or omitted: nothing is traced. */
	readonly tracing?: Tracing | null;
	/** What the operator sees of the deployment. Omitted: nothing. */
	readonly deployment?: Deployment;
}

export interface Executor extends App {
	/** Starts due runs. */
	tick(): Promise<void>;
	/** Deletes a bounded number of files that expired, or that an ended process left. To be called after every tick. */
	sweepFiles(): Promise<void>;
	/** Deletes a bounded amount of data of runs that has expired. To be called after every tick. */
	sweepKept(): Promise<void>;
	/** Restarts accepted runs that the previous process left unfinished. Call it only when that process has ended. */
	recover(): Promise<void>;
	/** Continues the runs of one of several processes that has ended. False if another process does, or it is alive. */
	takeOver(from: string): Promise<boolean>;
	/** Starts one due run on behalf of another invocation's tick. */
	runDue(due: DueRun, since: number): Promise<StartedDue>;
	/** Starts several due runs on behalf of another invocation's tick, each in its own invocation. */
	runDuePart(due: readonly DueRun[], since: number): Promise<number>;
	/** For internal callers, which name the namespace they act for. */
	fetchInternal(request: Request): Promise<Response>;
	/**
	 * Writes the bundled recipes that are new or changed. Requests that need a seeded recipe wait until it is done. The
	 * recipes are loaded only if their fingerprint differs from that of the stored ones.
	 */
	seed(readFingerprint?: () => Promise<string>): Promise<void>;
	/** Raises the events that one request to the store caused. */
	raise(events: readonly StoreEvent[]): Promise<void>;
	/** Whether the workflow that the request calls by its name lets pages of this origin call it. */
	allowsOrigin(request: Pick<Incoming, "url">, origin: string): Promise<boolean>;
	/** Waits for runs to end and flushes the execution records. */
	close(): Promise<void>;
}

/** Of files that have expired, a batch each. */
const SWEEPS_PER_TICK = 100;
/** Each needs some queries. */
const REPLAYS_PER_REQUEST = 100;
/** Another process reads a mailbox: until it is tried again. */
const MAILBOX_RETRY_MS = 15_000;
/** Minimum number of places for runs that no caller waits for. */
const MIN_BACKGROUND_PLACES = 64;

export function createExecutor(deps: ExecutorDeps): Executor {
	const { store, vault, clock, log, background, settings, signals, turns = platformTurns } = deps;
	const { metrics, tracing = null } = deps;
	const ownedComponents = ownedComponentStorage(store);
	const catalogues = createCatalogues({ storage: ownedComponents, clock, log, signals });
	const compiled = runnables({ getCatalogue: catalogues.catalogue, turns });
	const webhookRecords = webhookStorage(deps.kv);
	const legacy = legacyWorkflowStorage(deps.kv);
	const workflows = workflowStorage(store);
	const webhooks = webhookFinder({ storage: webhookRecords, runnables: compiled, clock });
	const finder = workflowFinder({ workflows, legacy, runnables: compiled, log });
	const files = storedFiles({ blobs: deps.blobs, store, log, settings, startedAt: clock.now() });
	const links = fileLinks({ vault, clock });
	const held = heldRuns({ ...(deps.peers !== undefined && { peers: deps.peers }) });
	const keeping = keepDefaults({ store, clock, signals });
	const keptRunData = keptData({
		memory: deps.isolatesRequests === true ? null : memoryRuns({ clock }),
		stored: deps.keptRuns ?? null,
		defaults: keeping,
		vault,
		background,
		clock,
		turns,
		maxBytes: settings.maxKeptBytes,
		peers: deps.peers,
	});
	const records = recordBuffer({
		send: async (batch) =>
			void (await store.executionLog.append(batch, { signal: AbortSignal.timeout(SEND_TIMEOUT_MS) })),
		isUnavailable: (error) => !isRefusal(error),
		clock,
		log,
		...(deps.isolatesRequests === true && { immediate: background }),
	});
	const admit = admission({
		atOnce: settings.maxConcurrentRuns,
		queue: settings.maxQueuedRuns,
		// Background runs can arrive in thousands, and each holds its input. On Workers each has its own invocation.
		...(deps.isolatesRequests !== true && {
			backgroundPlaces: Math.max(MIN_BACKGROUND_PLACES, Math.floor(settings.maxConcurrentRuns / 4)),
		}),
		// In self-hosted mode one owner has all namespaces, so they need no protection from each other.
		isShared: settings.multiTenant,
		now: () => clock.now(),
	});
	const waits = createWaits({ store });
	const sessions = signInSessions({
		vault,
		store,
		send: deps.http.send,
		clock,
		background,
		sharesPromises: deps.isolatesRequests !== true,
		onRequired: ({ namespace, ...data }) =>
			eventRuns.tell({ namespace, type: "credential.sign_in_required", data, depth: 1 }),
	});
	const outside = outbound({
		send: deps.http.send,
		databases: deps.databases ?? null,
		mail: deps.mail ?? null,
		mailboxes: deps.mailboxes ?? null,
		folders: deps.folders ?? null,
		vault,
		catalogues,
		sessions,
		clock,
		isolatesRequests: deps.isolatesRequests === true,
		tracing,
	});
	const toolSessions = mcpSessions({ clock, sharesPromises: deps.isolatesRequests !== true });
	const { execute, fail, cancel } = executions({
		clock,
		turns,
		runTimeoutMs: settings.runTimeoutMs,
		records,
		held,
		kept: keptRunData,
		tracing,
		effects: {
			clock,
			turns,
			records,
			held,
			kept: keptRunData,
			store,
			sandbox: deps.sandbox,
			pdf: deps.pdf,
			outbound: outside,
			mcp: toolSessions,
			files: { stored: files, links, turns, maxFileBytes: settings.maxFileBytes },
			folders: deps.folders ?? null,
			waits,
			getPublicUrl: () => settings.baseUrl ?? deps.getOwnUrl?.(),
			findWorkflow: findCalled,
			listTagged: finder.listTagged,
			modelPrices: settings.modelPrices,
			emit: async (event) => (await eventRuns.raise(event)).matched,
		},
		countRun: metrics && runCounter(metrics),
		onFailure({ namespace, workflow, trigger, executionId, eventDepth, rootId = executionId }, { error }) {
			// Whoever tries a draft sees its failure.
			if (namespace === null || trigger === "test") return;
			const data = { workflow, execution_id: executionId, error: error ?? "" };
			background.run("execution.failed", () =>
				eventRuns.tell({ namespace, type: "execution.failed", data, depth: eventDepth + 1, rootId }),
			);
		},
	});
	const leases = runLeases({
		store,
		clock,
		log,
		background,
		runTimeoutMs: settings.runTimeoutMs,
		holder: deps.holder ?? randomToken(12),
		queue: admit.queue,
		isolatesRequests: deps.isolatesRequests === true,
		signals,
		startNext: (run) => schedules.startDue({ ...run, entry_type: ACCEPTED_RUN }, 0),
	});
	const runs = admittedRuns({
		admission: admit,
		execute,
		leases,
		looking: deps.isolatesRequests === true ? admit.queue : undefined,
	});
	if (metrics !== undefined) readQueues(metrics, { settings, admission: admit, leases, records });
	const { fanOut } = deps;
	const durable =
		deps.steps === null
			? null
			: durableRuns({
					...deps.steps,
					vault,
					clock,
					log,
					maxKeptBytes: settings.maxKeptBytes,
					hasPeers: deps.holder !== undefined,
					maxEffects: fanOut?.effectsPerInvocation,
					isolatesRequests: deps.isolatesRequests === true,
				});
	const chatTokens = chatBudgets({ store, clock });
	const turnsOfChats = chatTurns({ store, clock });
	const accepted: AcceptedRuns = acceptedRuns({
		store,
		clock,
		log,
		background,
		runTimeoutMs: settings.runTimeoutMs,
		turns,
		files,
		runs,
		leases,
		holder: deps.holder,
		signals,
		tracing,
		fail,
		cancel,
		durable,
		chatReplies: chatReplies({ store, budgets: chatTokens, log }),
		retainsFailed: async ({ runnable: { options }, namespace }) =>
			["failed", "all"].includes(options.keep ?? (await keeping.load(namespace ?? ""))),
		startElsewhere: fanOut && ((run) => fanOut.start(run, 0)),
		isolatesRequests: deps.isolatesRequests === true,
		find: findAccepted,
	});
	const seen = seenEventStorage({ store, clock });
	const eventRuns: Events = events({
		...{ seen, workflows, runnables: compiled, accepted, clock, log },
		waits: eventWaits({ store, turns, wake: accepted.wake }),
	});
	const pollStates = pollStateStorage(store);
	const mailboxStates = mailboxStateStorage(store);
	const mailing =
		deps.mailboxes === undefined
			? null
			: mailTriggers({
					mailboxes: deps.mailboxes,
					states: mailboxStates,
					loadCredential: outside.loadCredential,
					leases: { store, holder: deps.holder, retryMs: MAILBOX_RETRY_MS },
					runnables: compiled,
					...{ workflows, accepted, files, settings, fail, background, clock, log, signals },
				});
	const onTriggerChanged = (namespace: string, hasEmail?: boolean) => mailing?.onChanged(namespace, hasEmail);
	const schedules = schedule({
		store,
		runnables: compiled,
		accepted,
		clock,
		log,
		background,
		runs,
		leases,
		fail,
		cancel,
		polls: polls({
			...{ states: pollStates, accepted, runs, background, fail },
			isolatesRequests: deps.isolatesRequests === true,
			maxStarted: deps.fanOut?.replaysPerInvocation,
		}),
		isolatesRequests: deps.isolatesRequests === true,
		fanOut: deps.fanOut,
		holder: deps.holder,
		startedAt: deps.startedAt,
	});
	const provided = {
		hasFiles: deps.blobs !== null,
		hasFolders: deps.folders != null,
		hasDatabases: deps.databases !== undefined,
		hasMail: deps.mail !== undefined,
	};
	const tenancy = tenants({ settings, store, clock });
	const trigger = {
		clock,
		settings,
		rate: rateLimit({ perMinute: settings.rateLimitPerMinute, clock, name: "triggers", signals }),
		turns,
		runs: waitedRuns({ runs, accepted, background, runTimeoutMs: settings.runTimeoutMs }),
		accepted,
		records,
		idempotency: idempotency({
			...{ store, clock, log, runTimeoutMs: settings.runTimeoutMs },
			getStatus: accepted.status,
		}),
		vault,
		files,
		mayLoosenPages: (request: Incoming) => isPagesOrigin(settings, request),
	};
	const copies = legacyWorkflows({ workflows, legacy, log });
	const kept = {
		...{ store, workflows, legacy, adopt: copies.adopt, turns, finder, accepted, log, onTriggerChanged },
	};
	const stored = storedWorkflows(kept);
	const { runTimeoutMs } = settings;
	const saved = savedWorkflows({
		...kept,
		catalogues,
		vault,
		runTimeoutMs,
		provided,
		pollStates,
		mailboxStates,
	});
	const workflowDrafts = drafts({ ...kept, saved, runnables: compiled });
	const findBaseUrl = () => findSignInUrl(settings.baseUrl, deps.getOwnUrl?.());
	const requireBaseUrl = () => requireSignInUrl(settings.baseUrl, deps.getOwnUrl?.());
	const signIns = mcpSignIns({
		...{ send: deps.http.send, vault, catalogues, storage: ownedComponents, clock, requireBaseUrl },
		isMultiTenant: settings.multiTenant,
		findChallenge: ({ name, url }, signal) => findChallenge(outside, { name, url: url.href }, signal),
	});
	const toolServers = mcpServers({
		...{ storage: ownedComponents, catalogues, sessions: toolSessions, outbound: outside },
		...{ signIns, clock },
	});
	const parts: ExecutorParts = {
		...trigger,
		store,
		tenants: tenancy,
		catalogues,
		ownedComponents,
		installs: installs({
			registry: deps.registry,
			storage: ownedComponents,
			catalogues,
			background,
			clock,
		}),
		mcpServers: toolServers,
		descriptions: descriptionImports({
			...{ reader: deps.descriptions, outbound: outside, catalogues, storage: ownedComponents },
		}),
		webhookStorage: webhookRecords,
		webhooks,
		anonymousRate: rateLimit({
			...{ perMinute: settings.multiTenant ? ANONYMOUS_WEBHOOKS_PER_MINUTE : 0, clock },
			...{ name: "anonymous webhooks", signals },
		}),
		formRate: rateLimit({ perMinute: FORM_POSTS_PER_MINUTE, clock, name: "forms", signals }),
		files,
		links,
		saved,
		stored,
		legacy: copies,
		drafts: workflowDrafts,
		versions: versions({ ...kept, stored, saved, drafts: workflowDrafts }),
		finder,
		provided,
		pollStates,
		mailboxStates,
		mailing,
		questions: questions({ store, waits, turns, accepted }),
		trigger: triggerRun(trigger),
		watch: watchRun({ ...trigger, background, chatTurns: turnsOfChats }),
		events: eventRuns,
		held,
		keptData: keptRunData,
		replays: replays({
			store,
			clock,
			log,
			accepted,
			durable,
			kept: keptRunData,
			find: findAccepted,
			batchSize: fanOut?.replaysPerInvocation ?? REPLAYS_PER_REQUEST,
		}),
		keepDefaults: keeping,
	};
	const chatting = {
		...parts,
		background,
		toFailure,
		talk: talks({ runs: trigger.runs, turns, background, budgets: chatTokens }),
	};
	const flows = signInFlows({ store, vault, clock });
	const linkRate = rateLimit({ perMinute: SIGN_INS_PER_MINUTE, clock, name: "sign-in links", signals });
	const createLink = signInLinks({ vault, catalogues, flows, rate: linkRate, requireBaseUrl });
	const app = createApp<Caller>({
		title: "Tripline",
		version: deps.version,
		routes: [
			...webhookRoutes(parts),
			...namedRoutes(parts),
			...queryRoutes(parts),
			...formRoutes<Caller, FormCall>(formCalls(parts, toFailure)),
			...askRoutes<Caller>({
				...parts,
				waits,
				formRate: rateLimit({ perMinute: FORM_POSTS_PER_MINUTE, clock, name: "answers", signals }),
				getOrigin: (request) => new URL(getBaseUrl(settings, request)).origin,
				toFailure,
			}),
			...completionRoutes(chatting),
			...chatRoutes({
				...chatting,
				chatTurns: turnsOfChats,
				chatLinks: chatLinks({ vault, clock }),
				chatRate: rateLimit({
					...{ perMinute: CHAT_MESSAGES_PER_MINUTE, clock },
					...{ name: "chat messages", signals },
				}),
			}),
			...workflowRoutes(parts),
			...versionRoutes(parts),
			...draftRoutes(parts),
			...testRoutes(parts),
			...deletedWorkflowRoutes(parts),
			...executionRoutes(parts),
			...questionRoutes(parts),
			...conversationRoutes(parts),
			...keptDataRoutes(parts),
			...eventRoutes(parts),
			...fileRoutes(parts),
			...componentRoutes(parts),
			...recipeRoutes({
				...parts,
				findSignInUrl: findBaseUrl,
			}),
			...mcpServerRoutes(parts),
			...mcpSignInRoutes({
				...{ signIns, createLink, findBaseUrl },
				findServerUrl: async (namespace, name) =>
					(await catalogues.own(namespace)).mcpServers.get(name)?.url ?? null,
			}),
			...credentialRoutes({
				...parts,
				outbound: outside,
				testRate: rateLimit({
					...{ perMinute: CONNECTION_TESTS_PER_MINUTE, clock },
					...{ name: "connection tests", signals },
				}),
			}),
			...signInRoutes({
				...parts,
				flows,
				sessions,
				send: deps.http.send,
				pageRate: rateLimit({ perMinute: SIGN_INS_PER_MINUTE, clock, name: "sign-in pages", signals }),
				createLink,
				findBaseUrl,
				onSignedIn: (namespace, credential) =>
					background.run("tools after a sign-in", () => addSignedIn(namespace, credential)),
				toFailure,
			}),
			...seedRoutes(parts),
			...statusRoutes({
				...parts,
				version: deps.version,
				startedAt: deps.startedAt,
				deployment: deps.deployment,
			}),
		],
		authenticate: tenancy.requireCaller,
		ready: deps.ready,
		clock,
		log,
		tracing,
		maxBodyBytes: settings.maxBodyBytes,
		toFailure,
		countRequest: metrics && requestCounter(metrics, "executor"),
		credentials: {
			schemes: {
				tenant: { type: "apiKey", in: "header", name: "X-Service-API-Key" },
				access: { type: "http", scheme: "bearer", description: "Required where SERVICE_ACCESS_TOKEN is set" },
			},
			alternatives: [{ tenant: [] }, { tenant: [], access: [] }],
		},
	});
	return {
		...app,
		fetch: toFetch(app.answer, deps.isolatesRequests === true ? readWorkersAddress : undefined),
		fetchInternal: async (request) => toResponse(await app.answer(toIncoming(request, { isInternal: true }))),
		async tick() {
			if (mailing !== null) background.run("mailboxes", mailing.refresh);
			await schedules.tick();
		},
		sweepFiles: () => sweepAll(files.sweep),
		async sweepKept() {
			await sweepAll(keptRunData.sweep);
			if (durable !== null) await sweepAll(() => durable.sweep(unixSeconds(clock)));
		},
		async recover() {
			await schedules.recover();
			await files.expireUnfinished();
		},
		takeOver: schedules.takeOver,
		runDue: schedules.runDue,
		runDuePart: schedules.runDuePart,
		seed(readFingerprint) {
			// In a later turn of the event loop, so that loading the recipes does not delay the start.
			const work = nextTurn()
				.then(async () =>
					readFingerprint === undefined
						? seedRecipes(ownedComponents)
						: seedChangedRecipes(ownedComponents, await readFingerprint()),
				)
				.then(() => catalogues.forget(SYSTEM_OWNER));
			catalogues.waitFor(work);
			return work;
		},
		async raise(told) {
			const [first] = told;
			if (first === undefined) return;
			const known = {
				workflows: await workflows.listListeners(first.owner_id),
				unawaited: new Set<string>(),
			};
			for (const { owner_id: namespace, type, data, depth, root } of told) {
				await eventRuns.tell({ namespace, type, data, depth: depth + 1, rootId: root ?? undefined }, known);
			}
		},
		async allowsOrigin({ url }, origin) {
			const called = parseNamedTrigger(parseTarget(url).path);
			if (called === null) return false;
			try {
				const runnable = await findNamed(called.namespace, called.name);
				return allowsOrigin(runnable?.webhook?.cors ?? [], origin);
			} catch {
				// The call will report the problem, without a run.
				return true;
			}
		},
		async close() {
			await mailing?.close();
			durable?.stop();
			await runs.close();
			await records.flush();
		},
	};

	async function sweepAll(sweep: () => Promise<number>): Promise<void> {
		// An invocation may make only so many calls.
		const batches = deps.isolatesRequests === true ? 1 : SWEEPS_PER_TICK;
		for (let batch = 0; batch < batches && (await sweep()) > 0; batch++);
	}

	/** Lists the tools of the MCP server that somebody has signed in to. */
	async function addSignedIn(namespace: string, credential: string): Promise<void> {
		const server = await signIns.findServer(namespace, credential);
		if (server !== null) await toolServers.putSignedIn(namespace, server.name, server.url.href, credential);
	}

	async function findNamed(namespace: string, name: string) {
		return (await finder.find(namespace, name))?.runnable ?? null;
	}

	async function findCalled(namespace: string, name: string, version?: number) {
		const found = await finder.find(namespace, name);
		return version === undefined || found?.versionNumber === version
			? found
			: finder.findVersion(namespace, name, version);
	}

	async function findAccepted(address: Address, version?: number): Promise<FoundRun | null> {
		if (address.kind === "named") {
			const { namespace, name } = address;
			const found = await findCurrent(namespace, name);
			if (found === null || version === undefined || found.versionNumber === version) return found;
			const old = await finder.findVersion(namespace, found.workflow ?? name, version);
			return old === null ? null : { ...found, ...old };
		}
		const webhook = await webhooks.find(address.token);
		return webhook === null ? null : { runnable: webhook.runnable };
	}

	/** A workflow may have been renamed since the run was accepted. */
	async function findCurrent(namespace: string, name: string): Promise<FoundRun | null> {
		const found = await finder.find(namespace, name);
		if (found !== null) return pickRun(found);
		const workflow = await store.workflows.findRenamed(namespace, name);
		const renamed = workflow === null ? null : await finder.find(namespace, workflow);
		return workflow === null || renamed === null ? null : { ...pickRun(renamed), workflow };
	}
}

const pickRun = ({ runnable, versionNumber }: FoundWorkflow): FoundRun => ({ runnable, versionNumber });

const nextTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** Whether the store rejected the batch's content. A wrong token, for example, is not found by halving the batch. */
const isRefusal = (error: unknown): boolean =>
	error instanceof StoreRefused && [400, 413, 422].includes(error.status);

function toFailure(error: unknown): Failure | null {
	// Of the platform's ports only blobs report it here, such as a full disk.
	if (error instanceof PlatformUnavailable)
		return { kind: "unavailable", message: error.message, retryAfterSeconds: 5 };
	if (error instanceof StoreUnavailable) {
		return {
			kind: "unavailable",
			message: "the knowledge store cannot be reached, try again",
			retryAfterSeconds: 1,
		};
	}
	if (error instanceof RegistryUnavailable) {
		return {
			kind: "unavailable",
			message: "the registry cannot be reached, try again",
			retryAfterSeconds: 5,
		};
	}
	if (error instanceof RegistryRefused) {
		return {
			kind: "unavailable",
			message: `the registry refused the request: ${error.message}`,
			retryAfterSeconds: 60,
		};
	}
	if (error instanceof StoreRefused && error.status === 401) {
		return {
			kind: "unavailable",
			message: "the knowledge store rejects the executor's token: set the same STORE_INTERNAL_TOKEN for both",
			retryAfterSeconds: 60,
		};
	}
	if (error instanceof StoreRefused && error.status === 412) {
		const { current_version: current } = error.answer;
		const currentVersion = typeof current === "number" ? current : null;
		return { kind: "precondition_failed", message: error.message, currentVersion };
	}
	if (error instanceof StoreRefused && error.status === 413)
		return { kind: "too_large", message: "the workflow is too large to be stored" };
	if (error instanceof StoreRefused && error.status === 422)
		return { kind: "invalid", message: "the store refused the request", issues: error.issues };
	return null;
}
