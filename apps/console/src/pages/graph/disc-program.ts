import { NodeProgram } from "sigma/rendering";
import type { NodeDisplayData, RenderParams } from "sigma/types";
import { floatColor } from "sigma/utils";
import { buildDefinition, type Given, setSharedUniforms, type Uniform } from "./shading.ts";

const VERTEX_SHADER = `#version 300 es
in vec2 a_place;
in float a_radius;
in vec4 a_colour;
uniform mat3 u_matrix;
uniform vec2 u_half;
uniform float u_scale;
out vec2 v_offset;
out float v_radius;
out vec3 v_colour;
const float third = radians(120.0);

/* A triangle that covers the disc and its antialiased edge. */
void main() {
	v_radius = a_radius * u_scale;
	v_colour = a_colour.rgb;
	float angle = float(gl_VertexID % 3) * third;
	float away = a_radius > 0.0 ? 2.0 * (v_radius + 1.0) : 0.0;
	v_offset = away * vec2(cos(angle), sin(angle));
	gl_Position = vec4((u_matrix * vec3(a_place, 1)).xy + v_offset / u_half, 0, 1);
}
`;

const FRAGMENT_SHADER = `#version 300 es
precision highp float;
in vec2 v_offset;
in float v_radius;
in vec3 v_colour;
out vec4 colour;

void main() {
	colour = vec4(v_colour, 1) * clamp(v_radius - length(v_offset) + 0.5, 0.0, 1.0);
}
`;

const VERTICES = 3;

/** Draws nodes. */
export class DiscProgram extends NodeProgram<Uniform> {
	constructor(...[gl, , renderer]: ConstructorParameters<typeof NodeProgram>) {
		super(gl, null, renderer);
	}

	getDefinition() {
		return buildDefinition({
			vertices: VERTICES,
			vertexShader: VERTEX_SHADER,
			fragmentShader: FRAGMENT_SHADER,
			has: { a_place: 2, a_radius: 1 },
		});
	}

	processVisibleItem(_index: number, start: number, { x, y, size, color }: NodeDisplayData): void {
		let at = start;
		const colour = floatColor(color);
		for (let vertex = 0; vertex < VERTICES; vertex++) {
			this.array[at++] = x;
			this.array[at++] = y;
			this.array[at++] = size;
			this.array[at++] = colour;
		}
	}

	setUniforms(params: RenderParams, given: Given): void {
		setSharedUniforms(params, given);
	}
}
