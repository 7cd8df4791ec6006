export const QUESTIONS_KEY = "questions";

const listeners = new Set<() => void>();

/** Calls the listener whenever a question was answered or found to have ended. */
export function subscribeToAnswers(listener: () => void): () => void {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

export function noteAnswer(): void {
	for (const listener of listeners) listener();
}
