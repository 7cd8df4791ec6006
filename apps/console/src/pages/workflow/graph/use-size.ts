import { type RefObject, useEffect, useState } from "react";

/** Only a change that can be seen lays a graph out again. */
const STEP = 40;
const stepped = (length: number): number => Math.round(length / STEP) * STEP;

/** How large an element is, roughly; 0 by 0 until that is known. */
export function useSize(of: RefObject<HTMLElement | null>): {
	readonly width: number;
	readonly height: number;
} {
	const [size, setSize] = useState({ width: 0, height: 0 });
	useEffect(() => {
		const element = of.current;
		if (element === null) return;
		const observer = new ResizeObserver(() => {
			const [width, height] = [stepped(element.clientWidth), stepped(element.clientHeight)];
			setSize((before) => (before.width === width && before.height === height ? before : { width, height }));
		});
		observer.observe(element);
		return () => observer.disconnect();
	}, [of]);
	return size;
}
