/** The launcher's functions used here. The launcher is plain JavaScript and not a package. */
export interface Launcher {
	/** Why this Node cannot run the service, or undefined when it can. */
	explainUnfit(versions: Readonly<Record<string, string | undefined>>): string | undefined;
	/** Downloads a suitable Node into that folder and returns its path. */
	ensureNode(home: string, reason: string): Promise<string>;
	/** Runs a program to its end and forwards signals to it. */
	run(command: string, args: readonly string[], options: object): Promise<Ended>;
	/** Thrown with a one-line message. */
	readonly Failure: new () => Error;
}

interface Ended {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
	/** The signal that this process received meanwhile. */
	readonly interrupted?: NodeJS.Signals | undefined;
}

/** Imports by computed path, so that a bundler leaves these files next to the bundle. */
export async function loadLauncher(folder: URL): Promise<Launcher> {
	const [prepare, processes] = await Promise.all(
		["prepare.mjs", "process.mjs"].map((file) => import(new URL(file, folder).href) as Promise<object>),
	);
	return { ...prepare, ...processes } as Launcher;
}
