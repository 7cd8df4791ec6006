import { useEffect, useState } from "react";

/** A text that is typed, once it has stayed the same for a moment. */
export function useSettled(value: string, ms: number): string {
	const [settled, setSettled] = useState(value);
	useEffect(() => {
		const timer = setTimeout(() => setSettled(value), ms);
		return () => clearTimeout(timer);
	}, [value, ms]);
	return settled;
}
