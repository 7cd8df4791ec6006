import { type RefObject, useEffect, useState } from "react";

/** Smaller changes of the size do not trigger a new layout. */
const STEP_PX = 40;
const roundToStep = (length: number): number => Math.round(length / STEP_PX) * STEP_PX;

/** The approximate size of an element; 0 by 0 until measured. */
export function useSize(of: RefObject<HTMLElement | null>): {
	readonly width: number;
	readonly height: number;
} {
	const [size, setSize] = useState({ width: 0, height: 0 });
	useEffect(() => {
		const element = of.current;
		if (element === null) return;
		const observer = new ResizeObserver(() => {
			const [width, height] = [roundToStep(element.clientWidth), roundToStep(element.clientHeight)];
			setSize((before) => (before.width === width && before.height === height ? before : { width, height }));
		});
		observer.observe(element);
		return () => observer.disconnect();
	}, [of]);
	return size;
}
