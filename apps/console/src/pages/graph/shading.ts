import type { NodeProgram } from "sigma/rendering";
import type { RenderParams } from "sigma/types";

/**
 * Uniforms of all graph shaders, which work in screen pixels. Every item has its own vertices instead of being an
 * instance, because software rendering processes each instance separately.
 */
const UNIFORMS = ["u_matrix", "u_half", "u_scale"] as const;
export type Uniform = (typeof UNIFORMS)[number];

interface Shaded {
	/** Vertices per item, three for each triangle. */
	readonly vertices: number;
	readonly vertexShader: string;
	readonly fragmentShader: string;
	/** Attributes of a vertex other than its colour: name and number of components. */
	readonly has: Readonly<Record<string, number>>;
}

export function buildDefinition({ vertices, vertexShader, fragmentShader, has }: Shaded) {
	const { FLOAT, UNSIGNED_BYTE, TRIANGLES } = WebGL2RenderingContext;
	return {
		VERTICES: vertices,
		VERTEX_SHADER_SOURCE: vertexShader,
		FRAGMENT_SHADER_SOURCE: fragmentShader,
		METHOD: TRIANGLES,
		UNIFORMS,
		ATTRIBUTES: [
			...Object.entries(has).map(([name, size]) => ({ name, size, type: FLOAT })),
			{ name: "a_colour", size: 4, type: UNSIGNED_BYTE, normalized: true },
		],
	};
}

export type Given = Parameters<NodeProgram["setUniforms"]>[1];

export function setSharedUniforms(params: RenderParams, { gl, uniformLocations: at }: Given): void {
	gl.uniformMatrix3fv(at.u_matrix ?? null, false, params.matrix);
	gl.uniform2f(at.u_half ?? null, params.width / 2, params.height / 2);
	gl.uniform1f(at.u_scale ?? null, 1 / params.sizeRatio);
}
