import type { Background } from "@tripline/platform/background";

const LOOK_AFTER_MS = 5_000;
/** A commit whose answer was lost may be carried out late. */
const LOOKS = 3;

/**
 * After a loss of the database the store may believe that this process has runs which it has stopped, or never began. No
 * other process takes them over as long as this one is alive, so it looks for them itself.
 */
export function strandedRuns(deps: { readonly background: Background; resumeOwn(): Promise<void> }) {
	let looksLeft = 0;
	let isAwaited = false;

	return {
		/** There may be some from now on. */
		suspect(): void {
			looksLeft = LOOKS;
			lookLater();
		},
	};

	function lookLater(): void {
		if (isAwaited || looksLeft === 0) return;
		isAwaited = true;
		const timer = setTimeout(() => deps.background.run("stranded runs", look), LOOK_AFTER_MS);
		timer.unref?.();
	}

	async function look(): Promise<void> {
		try {
			looksLeft--;
			await deps.resumeOwn();
		} catch (error) {
			looksLeft = LOOKS;
			throw error;
		} finally {
			isAwaited = false;
			lookLater();
		}
	}
}
