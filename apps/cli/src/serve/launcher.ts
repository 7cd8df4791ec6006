/** What others need of the launcher, which is plain JavaScript and no package. */
export interface Launcher {
	/** Why this Node cannot run the service, or undefined when it can. */
	whyUnfit(versions: Readonly<Record<string, string | undefined>>): string | undefined;
	/** The path of a Node that can, under that folder. */
	fetchedNode(home: string, reason: string): Promise<string>;
	/** Runs a program to its end and passes signals on to it. */
	run(command: string, args: readonly string[], options: object): Promise<Ended>;
	/** What it cannot do, in one line. */
	readonly Failure: new () => Error;
}

interface Ended {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
	/** What this process was told meanwhile. */
	readonly interrupted?: NodeJS.Signals | undefined;
}

/** Not by name: a bundle must leave these files beside it as they are. */
export async function launcherIn(folder: URL): Promise<Launcher> {
	const [prepare, processes] = await Promise.all(
		["prepare.mjs", "process.mjs"].map((file) => import(new URL(file, folder).href) as Promise<object>),
	);
	return { ...prepare, ...processes } as Launcher;
}
