"use strict";
const held = JSON.parse(document.getElementById("figures").textContent);
const dark = matchMedia("(prefers-color-scheme: dark)");

function coloured(trace, look) {
  const color = look.roles[trace.meta];
  const copy = { ...trace, marker: { ...trace.marker, color } };
  if (trace.type === "scatter") copy.line = { ...trace.line, color };
  for (const error of ["error_x", "error_y"]) {
    if (trace[error]) copy[error] = { ...trace[error], color: trace.type === "bar" ? look.ink : color };
  }
  return copy;
}

function draw() {
  const look = held.looks[dark.matches ? "dark" : "light"];
  for (const [name, figure] of Object.entries(held.figures)) {
    const data = figure.data.map((trace) => coloured(trace, look));
    const layout = structuredClone({ ...figure.layout, template: look.template });
    Plotly.react(name, data, layout, held.config);
  }
}

draw();
dark.addEventListener("change", draw);
