import { lazy, Suspense, useState } from "react";
import { useTexts } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { ACTING } from "./acting-texts.ts";
import type { RunAgainProps } from "./run-again-dialog.tsx";

const RunAgainDialog = lazy(() => import("./run-again-dialog.tsx"));

export function RunAgain(props: RunAgainProps) {
	const text = useTexts(ACTING);
	const [isOpen, setOpen] = useState(false);
	return (
		<>
			<Button icon="reload" onClick={() => setOpen(true)}>
				{text.runAgain}
			</Button>
			{isOpen && (
				<Suspense fallback={null}>
					<RunAgainDialog {...props} onClose={() => setOpen(false)} />
				</Suspense>
			)}
		</>
	);
}
