import { CliProblem } from "../command.ts";
import type { Io } from "../io.ts";
import type { Binding, CloudflareApi } from "./api.ts";
import { healthRole, unreadiness } from "./health.ts";
import { addressOf, type Role } from "./plan.ts";
import { ProviderRefused } from "./provider.ts";
import type { Lacking } from "./secrets.ts";
import { finishedTags, type Resources, type Upload, unfinishedTags, withoutBindingsTo } from "./upload.ts";

export interface WorkerOutcome {
	readonly worker: string;
	readonly role: Role;
	readonly status: "deployed" | "unchanged" | "failed" | "rolled back";
	/** What went wrong, and the way on. */
	readonly error?: string;
	readonly hint?: string;
}

interface Deps {
	readonly api: CloudflareApi;
	readonly io: Io;
	readonly resources: Resources;
	/** Those of the account, with their tags, before anything was uploaded. */
	readonly scripts: ReadonlyMap<string, readonly string[]>;
	readonly lacking: Lacking;
	progress(what: string): void;
	wait(ms: number): Promise<unknown>;
}

/** Workers are bound to each other in a circle: each has to be there before others can be bound to it. */
export async function makeWorkers(deps: Omit<Deps, "lacking">, uploads: readonly Upload[]): Promise<void> {
	const { api, resources, scripts, progress } = deps;
	const there = new Set(scripts.keys());
	for (const upload of uploads) {
		if (there.has(upload.name)) continue;
		progress(`making the worker ${upload.name}`);
		const metadata = withoutBindingsTo(upload, (worker) => there.has(worker));
		await api.upload(upload.name, { ...metadata, tags: unfinishedTags(resources.names) }, upload.modules);
		there.add(upload.name);
	}
}

const isCurrent = ({ scripts, lacking }: Deps, { name, role, fingerprint }: Upload): boolean =>
	scripts.get(name)?.includes(`fp:${fingerprint}`) === true && lacking[role].size === 0;

/** Uploads what is not as it should be, one after the other; a failure of one leaves the others to go on. */
export async function deployWorkers(
	deps: Deps,
	uploads: readonly Upload[],
	isForced: boolean,
): Promise<readonly WorkerOutcome[]> {
	const outcomes: WorkerOutcome[] = [];
	for (const upload of uploads) {
		const { name: worker, role } = upload;
		if (!isForced && isCurrent(deps, upload)) outcomes.push({ worker, role, status: "unchanged" });
		else {
			deps.progress(`deploying the worker ${worker}`);
			outcomes.push(await deployed(deps, upload));
		}
	}
	return outcomes;
}

async function deployed(deps: Deps, upload: Upload): Promise<WorkerOutcome> {
	const { name: worker, role, plan, metadata, modules } = upload;
	const { api, resources } = deps;
	try {
		const previous = await previousOf(deps, upload);
		await api.putSchedules(worker, plan.crons);
		await api.setPublic(worker, plan.isPublic);
		await api.upload(
			worker,
			{
				...metadata,
				bindings: [...metadata.bindings, ...secretBindings(deps.lacking[role])],
				tags: finishedTags(upload, resources),
			},
			modules,
		);
		const problem = previous === null ? null : await unreadiness(deps.io, addressFor(deps, role), deps.wait);
		if (previous === null || problem === null) return { worker, role, status: "deployed" };
		return { worker, role, ...(await wentBack(deps, worker, previous, problem)) };
	} catch (error) {
		if (!(error instanceof CliProblem)) throw error;
		return { worker, role, status: "failed", error: error.message, hint: wayOn(error) };
	}
}

interface Previous {
	readonly version: string;
	readonly tags: readonly string[];
}

async function wentBack(
	{ api, resources }: Deps,
	worker: string,
	previous: Previous,
	problem: string,
): Promise<Omit<WorkerOutcome, "worker" | "role">> {
	const error = `the new version is not healthy: ${problem}`;
	try {
		// Tags belong to no version: from here on until it is done, the worker is not whole.
		await api.setTags(worker, unfinishedTags(resources.names));
		await api.restore(worker, previous.version);
		await api.setTags(worker, previous.tags);
	} catch (failure) {
		if (!(failure instanceof CliProblem)) throw failure;
		return {
			status: "failed",
			error: `${error}; and the previous one could not be brought back: ${failure.message}`,
			hint: "run tripline update again, with the version of tripline that was deployed before",
		};
	}
	return {
		status: "rolled back",
		error,
		hint: "the previous version serves again: correct the cause, then run tripline update",
	};
}

const secretBindings = (secrets: Lacking[Role]): readonly Binding[] =>
	[...secrets].map(([name, text]) => ({ type: "secret_text", name, text }));

/** What to go back to: only from a version that was whole and healthy can a new one make things worse. */
async function previousOf(deps: Deps, { name, role }: Upload): Promise<Previous | null> {
	const tags = deps.scripts.get(name);
	if (tags?.some((tag) => tag.startsWith("fp:")) !== true) return null;
	if ((await unreadiness(deps.io, addressFor(deps, role), deps.wait, 1)) !== null) return null;
	const version = await deps.api.version(name);
	return version === null ? null : { version, tags };
}

const addressFor = ({ resources }: Deps, role: Role): string =>
	addressOf(resources.names.worker(healthRole(role)), resources.subdomain);

/** It throws or takes too long while it starts. */
const DOES_NOT_START = 10021;

function wayOn(error: CliProblem): string {
	if (error instanceof ProviderRefused && error.providerCode === DOES_NOT_START)
		return "the new code does not start; what was deployed before still serves: correct the code, then run tripline update";
	return "what was deployed before still serves: run tripline update again";
}
