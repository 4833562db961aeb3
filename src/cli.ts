#!/usr/bin/env node
console.log("tbd");
