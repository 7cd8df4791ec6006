import { execFileSync } from "node:child_process";
import { ReleaseProblem } from "./problem.ts";

export function git(root: string, ...args: readonly string[]): string {
	try {
		const output = execFileSync("git", args, {
			cwd: root,
			encoding: "utf8",
			stdio: ["ignore", "pipe", "pipe"],
		});
		return output.trim();
	} catch (error) {
		const { stderr, stdout, message } = error as Error & Record<"stderr" | "stdout", string | undefined>;
		throw new ReleaseProblem(`git ${args[0]}: ${(stderr || stdout || message).trim()}`);
	}
}
