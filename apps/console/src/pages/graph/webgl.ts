interface Drawing {
	readonly isPossible: boolean;
	/** By the processor, which is slow where there are many lines. */
	readonly isSoftware: boolean;
}

let answer: Drawing | null = null;

/** How this browser draws the graph. Asked once: each answer costs a context, of which there are few. */
export function drawing(): Drawing {
	if (answer !== null) return answer;
	const canvas = document.createElement("canvas");
	const context = canvas.getContext("webgl2");
	const named = context?.getExtension("WEBGL_debug_renderer_info");
	const renderer = named ? String(context?.getParameter(named.UNMASKED_RENDERER_WEBGL)) : "";
	answer = { isPossible: context !== null, isSoftware: /swiftshader|llvmpipe|software/i.test(renderer) };
	context?.getExtension("WEBGL_lose_context")?.loseContext();
	return answer;
}

/** What draws was taken away: another may not be given. */
export function askForDrawingAgain(): void {
	answer = null;
}
