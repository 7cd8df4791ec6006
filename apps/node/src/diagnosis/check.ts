export interface Check {
	readonly name: string;
	readonly status: "ok" | "warning" | "problem";
	readonly message: string;
	/** What to do. Null if all is well. */
	readonly fix: string | null;
}

export const ok = (name: string, message: string): Check => ({ name, status: "ok", message, fix: null });

export const warn = (name: string, message: string, fix: string): Check => ({
	...{ name, status: "warning", message, fix },
});

export const fail = (name: string, message: string, fix: string): Check => ({
	...{ name, status: "problem", message, fix },
});

/** The reason of a failed system call or connection, without addresses and paths. */
export function findReason(error: unknown): string {
	const { code, cause, name } = error as NodeJS.ErrnoException & { cause?: unknown };
	if (typeof code === "string") return code;
	if (cause instanceof Error) return findReason(cause);
	return name === "TimeoutError" ? "no response in time" : "unknown error";
}
