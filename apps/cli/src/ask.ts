import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

/** The exit code that a shell reports for a program that Ctrl-C ended. */
const INTERRUPTED_EXIT_CODE = 130;

/** Asks on the terminal; null if stdin or stderr is not one. */
export async function ask(question: string): Promise<string | null> {
	return isInteractive() ? readLine(`${question}: `, process.stderr) : null;
}

/** Asks without echoing what is typed. */
export async function askSecret(question: string): Promise<string | null> {
	if (!isInteractive()) return null;
	process.stderr.write(`${question}: `);
	const answer = await readLine("", new Writable({ write: (_chunk, _encoding, done) => done() }));
	process.stderr.write("\n");
	return answer;
}

const isInteractive = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** The line that is typed; empty if the terminal is closed instead (Ctrl-D). */
async function readLine(prompt: string, output: NodeJS.WritableStream): Promise<string> {
	const asking = createInterface({ input: process.stdin, output, terminal: true });
	asking.once("SIGINT", () => process.exit(INTERRUPTED_EXIT_CODE));
	const closed = new Promise<string>((resolve) => asking.once("close", () => resolve("")));
	try {
		return await Promise.race([asking.question(prompt).catch(() => ""), closed]);
	} finally {
		asking.close();
	}
}
