import { CliProblem } from "../command.ts";
import type { Io } from "../io.ts";
import type { Binding, CloudflareApi } from "./api.ts";
import { checkReadiness } from "./health.ts";
import type { Role } from "./plan.ts";
import { ProviderRefused } from "./provider.ts";
import {
	confirmReplacement,
	getHealthAddress,
	settleReplacement,
	type WorkerOutcome,
} from "./replacement.ts";
import type { Lacking } from "./secrets.ts";
import {
	findReplacement,
	fingerprintTag,
	finishedTags,
	isComplete,
	type Replacement,
	replacementTags,
	unfinishedTags,
} from "./tags.ts";
import { omitBindings, type Resources, type Upload } from "./upload.ts";

interface Deps {
	readonly api: CloudflareApi;
	readonly io: Io;
	readonly resources: Resources;
	/** The account's workers and their tags, before anything was uploaded. */
	readonly scripts: ReadonlyMap<string, readonly string[]>;
	readonly lacking: Lacking;
	progress(what: string): void;
}

/** Workers are bound to each other in a cycle, so each must exist before others can be bound to it. */
export async function makeWorkers(deps: Omit<Deps, "lacking">, uploads: readonly Upload[]): Promise<void> {
	const { api, resources, scripts, progress } = deps;
	const there = new Set(scripts.keys());
	for (const upload of uploads) {
		if (there.has(upload.name)) continue;
		progress(`creating the worker ${upload.name}`);
		const metadata = omitBindings(upload, (worker) => there.has(worker));
		await api.upload(upload.name, { ...metadata, tags: unfinishedTags(resources.names) }, upload.modules);
		there.add(upload.name);
	}
}

/** Uploads the workers that are out of date, one after the other; if one fails, the others are still deployed. */
export async function deployWorkers(
	deps: Deps,
	uploads: readonly Upload[],
	isForced: boolean,
): Promise<readonly WorkerOutcome[]> {
	const { outcomes: ended, scripts } = await settleReplacements(deps, uploads, isForced);
	const outcomes: WorkerOutcome[] = [];
	for (const upload of uploads) {
		const { name: worker, role } = upload;
		const done = ended.get(upload);
		if (done !== undefined) outcomes.push(done);
		else if (!isForced && isCurrent({ ...deps, scripts }, upload))
			outcomes.push({ worker, role, status: "unchanged" });
		else {
			deps.progress(`deploying the worker ${worker}`);
			outcomes.push(await attempt(upload, () => deployWorker({ ...deps, scripts }, upload)));
		}
	}
	return outcomes;
}

const isCurrent = ({ scripts, lacking }: Deps, upload: Upload): boolean =>
	scripts.get(upload.name)?.includes(fingerprintTag(upload)) === true && lacking[upload.role].size === 0;

/**
 * Completes the replacements that an earlier run left unchecked, before anything is uploaded, so that every active
 * version is healthy and can be rolled back to. Returns the outcomes of workers that need no upload, and current tags.
 */
async function settleReplacements(deps: Deps, uploads: readonly Upload[], isForced: boolean) {
	const outcomes = new Map<Upload, WorkerOutcome>();
	const scripts = new Map(deps.scripts);
	for (const upload of uploads) {
		const { name, role } = upload;
		const replacement = findReplacement(scripts.get(name) ?? []);
		if (replacement === null) continue;
		deps.progress(`checking the worker ${name}, which an earlier run left unchecked`);
		const outcome = await attempt(upload, () => settleReplacement(deps, role, replacement), CHECK_FIRST_HINT);
		const { before, after } = replacement;
		scripts.set(name, outcome?.status === "deployed" ? after : before);
		const isSame = after.includes(fingerprintTag(upload)) && deps.lacking[role].size === 0 && !isForced;
		if (outcome !== null && (isSame || outcome.status === "failed")) outcomes.set(upload, outcome);
	}
	return { outcomes, scripts };
}

const CHECK_FIRST_HINT =
	"run tripline update again: it checks this worker first, and rolls back if it is not healthy";

async function deployWorker(deps: Deps, upload: Upload): Promise<WorkerOutcome> {
	const { name: worker, role, plan, metadata, modules } = upload;
	const { api, resources } = deps;
	const after = finishedTags(upload, resources);
	const replacement = await prepareReplacement(deps, upload, after);
	await api.putSchedules(worker, plan.crons);
	await api.setPublic(worker, plan.isPublic);
	const bindings = [...metadata.bindings, ...buildSecretBindings(deps.lacking[role])];
	const tags = replacement === null ? after : replacementTags(replacement);
	await api.upload(worker, { ...metadata, bindings, tags }, modules);
	return replacement === null
		? { worker, role, status: "deployed" }
		: confirmReplacement(deps, role, replacement);
}

async function attempt<Result>(
	{ name: worker, role }: Upload,
	work: () => Promise<Result>,
	hint?: string,
): Promise<Result | WorkerOutcome> {
	try {
		return await work();
	} catch (error) {
		if (!(error instanceof CliProblem)) throw error;
		return { worker, role, status: "failed", error: error.message, hint: hint ?? describeNextStep(error) };
	}
}

const buildSecretBindings = (secrets: Lacking[Role]): readonly Binding[] =>
	[...secrets].map(([name, text]) => ({ type: "secret_text", name, text }));

/** Null if there is nothing to roll back to: the current version must be fully deployed and healthy. */
async function prepareReplacement(
	deps: Deps,
	{ name, role }: Upload,
	after: readonly string[],
): Promise<Replacement | null> {
	const before = deps.scripts.get(name) ?? [];
	if (!isComplete(before)) return null;
	if ((await checkReadiness(deps.io, getHealthAddress(deps.resources, role), 1)) !== null) return null;
	const previous = await deps.api.version(name);
	return previous === null ? null : { previous, before, after };
}

/** Cloudflare's error code for a worker that throws or takes too long while it starts. */
const STARTUP_FAILURE_CODE = 10021;

function describeNextStep(error: CliProblem): string {
	if (error instanceof ProviderRefused && error.providerCode === STARTUP_FAILURE_CODE)
		return "the new code does not start; the previous version is still active: correct the code, then run tripline update";
	return "the previous version is still active: run tripline update again";
}
