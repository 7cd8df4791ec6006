/** Whether the error means "not found": status 404, or 422 for a malformed ID. */
export function isNotFound(error: Error | null): boolean {
	const { status, answer } = (error ?? {}) as { status?: number; answer?: { issues?: unknown } };
	if (status === 404) return true;
	const issues = Array.isArray(answer?.issues) ? (answer.issues as { path?: unknown }[]) : [];
	return status === 422 && issues.length > 0 && issues.every(({ path }) => path === "id");
}

/** Waits for a deletion. Resolves to false if the item was already deleted. */
export async function resolveDeletion(deletion: Promise<unknown>): Promise<boolean> {
	try {
		await deletion;
		return true;
	} catch (error) {
		if (error instanceof Error && isNotFound(error)) return false;
		throw error;
	}
}
