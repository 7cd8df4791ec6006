import { useState } from "react";

/** An action the user starts: a save, a deletion, a run. */
export interface Action<Args extends readonly unknown[]> {
	readonly isBusy: boolean;
	readonly problem: Error | null;
	/** Resolves to whether the action succeeded. */
	run(...args: Args): Promise<boolean>;
	clear(): void;
}

export function useAction<Args extends readonly unknown[]>(
	act: (...args: Args) => Promise<void>,
): Action<Args> {
	const [isBusy, setBusy] = useState(false);
	const [problem, setProblem] = useState<Error | null>(null);
	return {
		isBusy,
		problem,
		async run(...args) {
			setBusy(true);
			setProblem(null);
			try {
				await act(...args);
				return true;
			} catch (error) {
				setProblem(error instanceof Error ? error : new Error(String(error)));
				return false;
			} finally {
				setBusy(false);
			}
		},
		clear: () => setProblem(null),
	};
}
