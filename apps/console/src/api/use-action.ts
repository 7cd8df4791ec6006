import { useState } from "react";

/** Something that is done once when it is asked for: a save, a deletion, a run. */
export interface Action<Args extends readonly unknown[]> {
	readonly isBusy: boolean;
	readonly problem: Error | null;
	/** Whether it went well. */
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
