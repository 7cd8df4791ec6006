interface Drawing {
	readonly isPossible: boolean;
	/** Software rendering, which is slow with many lines. */
	readonly isSoftware: boolean;
}

let answer: Drawing | null = null;

/**
 * How this browser can draw the graph. Tested once, because each test uses up a WebGL context, and browsers limit their
 * number.
 */
export function detectDrawing(): Drawing {
	if (answer !== null) return answer;
	const canvas = document.createElement("canvas");
	const context = canvas.getContext("webgl2");
	const named = context?.getExtension("WEBGL_debug_renderer_info");
	const renderer = named ? String(context?.getParameter(named.UNMASKED_RENDERER_WEBGL)) : "";
	answer = { isPossible: context !== null, isSoftware: /swiftshader|llvmpipe|software/i.test(renderer) };
	context?.getExtension("WEBGL_lose_context")?.loseContext();
	return answer;
}

/** The WebGL context was lost; test again, because a new one may not be available. */
export function resetDrawing(): void {
	answer = null;
}
