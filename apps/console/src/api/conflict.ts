/** Whether the service refused because of the state that something is in, such as a run that has ended. */
export const isConflict = (error: unknown): boolean => (error as { status?: unknown } | null)?.status === 409;
