/** Whether the service says that there is no such thing; of an id that is not one there can be none. */
export function isNotThere(error: Error | null): boolean {
	const { status, answer } = (error ?? {}) as { status?: number; answer?: { issues?: unknown } };
	if (status === 404) return true;
	const issues = Array.isArray(answer?.issues) ? (answer.issues as { path?: unknown }[]) : [];
	return status === 422 && issues.length > 0 && issues.every(({ path }) => path === "id");
}

/** Waits for a deletion, and tells whether there was something to delete: either way it is gone. */
export async function wasThere(deletion: Promise<unknown>): Promise<boolean> {
	try {
		await deletion;
		return true;
	} catch (error) {
		if (error instanceof Error && isNotThere(error)) return false;
		throw error;
	}
}
