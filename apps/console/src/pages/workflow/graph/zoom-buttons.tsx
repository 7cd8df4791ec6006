import { useReactFlow } from "@xyflow/react";
import { useTexts } from "../../../texts/texts.ts";
import { Button } from "../../../ui/button.tsx";
import { WORKFLOW } from "../texts.ts";
import type { Viewport } from "./viewport.ts";

export function ZoomButtons({ whole }: { whole(): Viewport }) {
	const text = useTexts(WORKFLOW);
	const { zoomIn, zoomOut, setViewport } = useReactFlow();
	return (
		<div className="graph-zoom">
			<Button
				isSmall
				icon="plus"
				aria-label={text.zoomIn}
				title={text.zoomIn}
				onClick={() => zoomIn({ duration: 120 })}
			/>
			<Button
				isSmall
				icon="minus"
				aria-label={text.zoomOut}
				title={text.zoomOut}
				onClick={() => zoomOut({ duration: 120 })}
			/>
			<Button
				isSmall
				icon="fit"
				aria-label={text.fit}
				title={text.fit}
				onClick={() => setViewport(whole(), { duration: 200 })}
			/>
		</div>
	);
}
